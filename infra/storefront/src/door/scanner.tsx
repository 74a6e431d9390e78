import { useEffect, useRef, useState } from 'preact/hooks';
import { createCodeReader } from './read-code.ts';
import { enableSounds } from './signals.ts';

/** Milliseconds between two frames that are read. */
const frameInterval = 120;

/**
 * Shows the back camera's picture. Calls `onCode` with each code that it reads, repeatedly while the code is in view.
 */
export function Scanner({ onCode }: { onCode: (code: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const stop = useRef<() => void>(undefined);
  const latestOnCode = useRef(onCode);
  latestOnCode.current = onCode;
  const [state, setState] = useState<'off' | 'starting' | 'on'>('off');
  const [error, setError] = useState<unknown>();
  useEffect(() => () => stop.current?.(), []);

  const start = async () => {
    setState('starting');
    setError(undefined);
    enableSounds();
    try {
      const element = video.current as HTMLVideoElement;
      stop.current = await scan(element, (code) => latestOnCode.current(code));
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

/**
 * Reads codes until the returned function is called.
 * @throws DOMException without a camera, or without permission to use it
 */
async function scan(video: HTMLVideoElement, onCode: (code: string) => void): Promise<() => void> {
  // On plain http, browsers have no mediaDevices.
  if (!navigator.mediaDevices) throw new DOMException('', 'SecurityError');
  const [readCode, stream] = await Promise.all([
    createCodeReader(),
    navigator.mediaDevices.getUserMedia({
      video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
    }),
  ]);
  video.srcObject = stream;
  await video.play();
  const wakeLock = await keepScreenOn();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const readFrame = async () => {
    // Reading a frame fails at times, such as while the phone is turned.
    const code = await readCode(video).catch(() => undefined);
    if (isStopped) return;
    if (code) onCode(code);
    timer = setTimeout(readFrame, frameInterval);
  };
  void readFrame();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    for (const track of stream.getTracks()) track.stop();
    void wakeLock?.release();
  };
}

/** Keeps the screen on, in browsers that support it. */
async function keepScreenOn(): Promise<WakeLockSentinel | undefined> {
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
