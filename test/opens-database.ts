/** Whether a test file, by its text, opens the database of the product: it then has one of its own, on each engine. */
export function opensDatabase(text: string): boolean {
  return /\b(openDatabase|startApp|startEndpoints)\b/.test(text)
}
