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
