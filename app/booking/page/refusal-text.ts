import { bookTexts } from '#app/content/book.ts'

/** The sentence above the nearest free times: the reason, and what comes next. */
export function refusalText(reason: string, alternatives: readonly unknown[]): string {
  return `${reason} ${alternatives.length > 0 ? bookTexts.nearest : bookTexts.noOther}`
}
