import type { EventSummary } from 'boxoffice-client';
import { locale } from '../format.ts';
import { t } from '../texts/organizing.ts';
import { Table } from './table.tsx';

/** The maximum number of days that have a bar each. Longer sales have a bar a week. */
const maximumDays = 62;

/** A chart with fewer bars leaves their place empty, so that a single bar is not as wide as the page. */
const minimumBars = 14;

interface Bar {
  /** The first day of the bar, `YYYY-MM-DD`. */
  date: string;
  /** The number of sold tickets by tier. */
  sold: Map<string, number>;
}

/** The tickets of an event that were sold on each day, or in each week of a long sale, by tier. */
export function SalesChart({ summary: { days, tiers } }: { summary: EventSummary }) {
  const bars = toBars(days);
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return null;
  const soldTiers = tiers.filter(({ tierId }) => bars.some(({ sold }) => sold.has(tierId)));
  const highest = Math.max(...bars.map(totalOf));
  const hasWeeks = isLong(days);
  const refunded = days.map((day) => ({ ...day, count: sum(day.tiers.map((tier) => tier.refunded)) }));
  return (
    <figure class="part chart">
      <figcaption>
        <h2 id="sold-by-day">{t(hasWeeks ? 'chart.byWeek' : 'chart.byDay')}</h2>
        <p class="quiet">{t(hasWeeks ? 'chart.highestWeek' : 'chart.highestDay', { count: highest })}</p>
      </figcaption>
      <svg
        role="img"
        aria-label={t(hasWeeks ? 'chart.nameByWeek' : 'chart.nameByDay', {
          first: formatDay(first.date),
          last: formatDay(last.date),
        })}
        viewBox={`0 0 ${Math.max(bars.length, minimumBars) * 10} 100`}
        preserveAspectRatio="none"
      >
        {bars.map((bar, index) => {
          let top = 100;
          return soldTiers.map(({ tierId }, tierIndex) => {
            const height = (100 * (bar.sold.get(tierId) ?? 0)) / highest;
            top -= height;
            return (
              <rect
                key={`${bar.date} ${tierId}`}
                x={index * 10 + 1}
                y={top}
                width={8}
                height={height}
                style={{ fill: colorOf(tierIndex) }}
              />
            );
          });
        })}
      </svg>
      <p class={bars.length < minimumBars ? 'quiet' : 'chart-axis quiet'}>
        <span>{formatDay(first.date)}</span>{' '}
        {bars.length > 1 && (
          <span>{bars.length < minimumBars ? `– ${formatDay(last.date)}` : formatDay(last.date)}</span>
        )}
      </p>
      <ul class="chart-legend">
        {soldTiers.map(({ tierId, name }, index) => (
          <li key={tierId}>
            <span style={{ background: colorOf(index) }} /> {name}
          </li>
        ))}
      </ul>
      <details>
        <summary>{t('chart.table')}</summary>
        <Table
          columns={[t('chart.day'), ...soldTiers.map(({ name }) => name), t('chart.refunded')]}
          aria-label={t('chart.byDay')}
        >
          {refunded.map(({ date, tiers: counts, count }) => (
            <tr key={date}>
              <th scope="row">{formatDay(date)}</th>
              {soldTiers.map(({ tierId }) => (
                <td key={tierId}>{counts.find((each) => each.tierId === tierId)?.sold ?? 0}</td>
              ))}
              <td>{count}</td>
            </tr>
          ))}
        </Table>
      </details>
    </figure>
  );
}

const dayMilliseconds = 86_400_000;
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
const totalOf = ({ sold }: Bar) => sum([...sold.values()]);

/** Returns whether the days are too many for a bar each. */
function isLong(days: EventSummary['days']): boolean {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return false;
  return Date.parse(last.date) - Date.parse(first.date) >= maximumDays * dayMilliseconds;
}

/** Returns a bar for each day or week from the first to the last with a sale, also for those without one. */
function toBars(days: EventSummary['days']): Bar[] {
  const length = (isLong(days) ? 7 : 1) * dayMilliseconds;
  const selling = days.filter(({ tiers }) => tiers.some(({ sold }) => sold > 0));
  const start = Date.parse(selling[0]?.date ?? '');
  const bars: Bar[] = [];
  for (const { date, tiers } of selling) {
    const index = Math.floor((Date.parse(date) - start) / length);
    while (bars.length <= index) {
      const time = new Date(start + bars.length * length);
      bars.push({ date: time.toISOString().slice(0, 10), sold: new Map() });
    }
    const bar = bars[index];
    for (const { tierId, sold } of tiers) {
      if (sold > 0) bar?.sold.set(tierId, (bar.sold.get(tierId) ?? 0) + sold);
    }
  }
  return bars;
}

/** Returns the color of a tier: far from that of the tier before it, and visible on light and dark pages. */
function colorOf(index: number): string {
  const hue = (30 + 137 * index) % 360;
  return `light-dark(oklch(0.5 0.13 ${hue}), oklch(0.75 0.12 ${hue}))`;
}

const formatDay = (date: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date));
