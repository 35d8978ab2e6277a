import { conversionFunction } from '#app/content/conversion-function.ts'

/** Reports a conversion to the operator's own tracking function, if it exists. Its errors never reach the form. */
export function reportConversion(): void {
  try {
    const report: unknown = Reflect.get(window, conversionFunction)
    if (typeof report === 'function') Promise.resolve(report()).catch(() => undefined)
  } catch {
    // An error of the operator's function must not block the enquiry.
  }
}
