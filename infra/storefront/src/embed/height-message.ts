/** The message by which the page in the frame tells the page around it how tall its content is. */
export interface HeightMessage {
  type: 'boxoffice:height';
  /** In CSS pixels. */
  height: number;
}
