let audio: AudioContext | undefined;

/** Allows sounds. Browsers want that to happen while a button is pressed. */
export function allowSounds(): void {
  audio ??= new AudioContext();
  void audio.resume();
}

/** One high beep for somebody who is in, two low ones for anything else; phones vibrate along. */
export function signal(isIn: boolean): void {
  navigator.vibrate?.(isIn ? 80 : [200, 100, 200]);
  if (isIn) beep(1_320, 0, 0.12);
  else for (const start of [0, 0.3]) beep(220, start, 0.2);
}

/** @param start and length in seconds from now */
function beep(hertz: number, start: number, length: number): void {
  if (audio?.state !== 'running') return;
  const at = audio.currentTime + start;
  const oscillator = new OscillatorNode(audio, { frequency: hertz, type: 'square' });
  const volume = new GainNode(audio, { gain: 0.2 });
  oscillator.connect(volume).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}
