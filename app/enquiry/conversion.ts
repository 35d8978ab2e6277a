import { conversionFunction } from '#app/site/content/conversion-function.ts'

/** Tells the operator's own tracking of a conversion, if its function is there. Nothing that it does or fails to do reaches the form. */
export function reportConversion(): void {
  try {
    const report: unknown = Reflect.get(window, conversionFunction)
    if (typeof report === 'function') Promise.resolve(report()).catch(() => undefined)
  } catch {
    // Not ours to mend, and no reason to keep an enquiry from being sent.
  }
}
