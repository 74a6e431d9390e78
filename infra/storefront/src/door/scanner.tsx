import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../texts/door.ts';
import { enableSounds } from './submit-scan.ts';

/** Milliseconds between two frames that are read. */
const frameInterval = 120;

/**
 * Shows the back camera's picture. Calls `onCode` with each code that it reads, repeatedly while the code is in view.
 */
export function Scanner({ onCode }: { onCode: (code: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const scanning = useRef<AbortController>(undefined);
  const latestOnCode = useRef(onCode);
  latestOnCode.current = onCode;
  const [state, setState] = useState<'off' | 'starting' | 'on'>('off');
  const [error, setError] = useState<unknown>();
  useEffect(() => () => scanning.current?.abort(), []);

  const start = async () => {
    setState('starting');
    setError(undefined);
    enableSounds();
    const controller = new AbortController();
    scanning.current = controller;
    try {
      const element = video.current as HTMLVideoElement;
      await scan(element, (code) => latestOnCode.current(code), controller.signal);
      setState('on');
    } catch (failure) {
      controller.abort();
      setState('off');
      setError(failure);
    }
  };
  return (
    <div class="scanner">
      <video ref={video} hidden={state !== 'on'} playsInline muted aria-label={t('camera.view')} />
      {state !== 'on' && (
        <button class="primary" type="button" disabled={state === 'starting'} onClick={start}>
          {t('camera.start')}
        </button>
      )}
      {error !== undefined && <p role="alert">{cameraProblem(error)}</p>}
    </div>
  );
}

/**
 * Starts to read codes. Reads until the signal aborts, which also turns the camera off. After an error, the caller has
 * to abort, since the camera may be on.
 * @throws DOMException without a camera, or without permission to use it
 */
async function scan(
  video: HTMLVideoElement,
  onCode: (code: string) => void,
  signal: AbortSignal,
): Promise<void> {
  // On plain http, browsers have no mediaDevices.
  if (!navigator.mediaDevices) throw new DOMException('', 'SecurityError');
  const [readCode] = await Promise.all([createCodeReader(), showCamera(video, signal)]);
  keepScreenOn(signal);
  const readFrame = async () => {
    // Reading a frame fails at times, such as while the phone is turned.
    const code = await readCode(video).catch(() => undefined);
    if (signal.aborted) return;
    if (code) onCode(code);
    setTimeout(readFrame, frameInterval);
  };
  void readFrame();
}

/** Shows the camera's picture until the signal aborts. */
async function showCamera(video: HTMLVideoElement, signal: AbortSignal): Promise<void> {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
  });
  onAbort(signal, () => {
    for (const track of stream.getTracks()) track.stop();
  });
  video.srcObject = stream;
  await video.play();
}

/** Calls `release` when the signal aborts, or at once if it has aborted. */
function onAbort(signal: AbortSignal, release: () => void): void {
  if (signal.aborted) release();
  else signal.addEventListener('abort', release);
}

/**
 * Keeps the screen on until the signal aborts, in browsers that support it. Browsers release the lock when the page is
 * hidden, so it is requested again when the page is shown.
 */
function keepScreenOn(signal: AbortSignal): void {
  const request = async () => {
    if (document.visibilityState !== 'visible') return;
    const wakeLock = await navigator.wakeLock?.request('screen').catch(() => undefined);
    onAbort(signal, () => void wakeLock?.release());
  };
  document.addEventListener('visibilitychange', request, { signal });
  void request();
}

function cameraProblem(error: unknown): string {
  switch (error instanceof DOMException && error.name) {
    case 'NotAllowedError':
      return t('camera.notAllowed');
    case 'NotFoundError':
      return t('camera.notFound');
    case 'SecurityError':
      return t('camera.insecure');
    default:
      return t('camera.busy');
  }
}

/** Returns the text of the QR code in the video's current frame; undefined when there is none. */
export type ReadCode = (video: HTMLVideoElement) => Promise<string | undefined>;

/**
 * The part of the Barcode Detection API that is used: https://wicg.github.io/shape-detection-api/#barcode-detection-api
 */
interface Detector {
  detect(source: CanvasImageSource): Promise<{ rawValue: string }[]>;
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
}

/**
 * Returns a reader that uses the browser's BarcodeDetector, which phones run in hardware. Loads jsQR in other browsers.
 */
export async function createCodeReader(): Promise<ReadCode> {
  const { BarcodeDetector } = window as { BarcodeDetector?: DetectorClass };
  if ((await BarcodeDetector?.getSupportedFormats())?.includes('qr_code')) {
    const detector = new (BarcodeDetector as DetectorClass)({ formats: ['qr_code'] });
    return async (video) => (await detector.detect(video))[0]?.rawValue;
  }
  const { default: jsQR } = await import('jsqr');
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return async (video) => {
    if (!context || video.videoWidth === 0) return undefined;
    // A code fills much of the picture, so a smaller copy is read faster and as reliably.
    const scale = Math.min(1, 640 / Math.max(video.videoWidth, video.videoHeight));
    canvas.width = video.videoWidth * scale;
    canvas.height = video.videoHeight * scale;
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
    return jsQR(data, width, height, { inversionAttempts: 'dontInvert' })?.data || undefined;
  };
}
