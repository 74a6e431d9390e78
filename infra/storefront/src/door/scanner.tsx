import { useEffect, useRef, useState } from 'preact/hooks';
import { codeReader } from './read-code.ts';
import { allowSounds } from './signals.ts';

/** How long to wait between two looks at the camera's picture, in milliseconds. */
const interval = 120;

/** Shows the back camera's picture. Calls `onCode` for each code in a frame, repeatedly while the code is in view. */
export function Scanner({ onCode }: { onCode: (code: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const stop = useRef<() => void>(undefined);
  const latest = useRef(onCode);
  latest.current = onCode;
  const [state, setState] = useState<'off' | 'starting' | 'on'>('off');
  const [error, setError] = useState<unknown>();
  useEffect(() => () => stop.current?.(), []);

  const start = async () => {
    setState('starting');
    setError(undefined);
    allowSounds();
    try {
      const shown = video.current as HTMLVideoElement;
      stop.current = await scan(shown, (code) => latest.current(code));
      setState('on');
    } catch (failure) {
      setState('off');
      setError(failure);
    }
  };
  return (
    <div class="scanner">
      <video ref={video} hidden={state !== 'on'} playsInline muted aria-label="What the camera sees" />
      {state !== 'on' && (
        <button class="primary" type="button" disabled={state === 'starting'} onClick={start}>
          Scan with the camera
        </button>
      )}
      {error !== undefined && <p role="alert">{cameraProblem(error)}</p>}
    </div>
  );
}

/** Reads codes until the returned function is called. @throws DOMException without a camera or the permission */
async function scan(video: HTMLVideoElement, onCode: (code: string) => void): Promise<() => void> {
  // On plain http, browsers have no mediaDevices.
  if (!navigator.mediaDevices) throw new DOMException('', 'SecurityError');
  const [read, stream] = await Promise.all([
    codeReader(),
    navigator.mediaDevices.getUserMedia({
      video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
    }),
  ]);
  video.srcObject = stream;
  await video.play();
  const awake = await keepAwake();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const look = async () => {
    // A frame may not be readable, such as while the phone turns.
    const code = await read(video).catch(() => undefined);
    if (isOver) return;
    if (code) onCode(code);
    timer = setTimeout(look, interval);
  };
  void look();
  return () => {
    isOver = true;
    clearTimeout(timer);
    for (const track of stream.getTracks()) track.stop();
    void awake?.release();
  };
}

/** Keeps the screen on, where the browser can. */
async function keepAwake(): Promise<WakeLockSentinel | undefined> {
  return navigator.wakeLock?.request('screen').catch(() => undefined);
}

function cameraProblem(error: unknown): string {
  switch (error instanceof DOMException && error.name) {
    case 'NotAllowedError':
      return 'The browser may not use the camera. Allow it in the settings of this page, or enter codes below.';
    case 'NotFoundError':
      return 'There is no camera on this device. Enter codes below.';
    case 'SecurityError':
      return 'The camera works on https pages only. Enter codes below.';
    default:
      return 'The camera can’t be used right now. Close other apps that use it, or enter codes below.';
  }
}
