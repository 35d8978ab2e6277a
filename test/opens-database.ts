/** Whether a test file, by its text, opens the product's database. It then gets its own, on each engine. */
export function opensDatabase(text: string): boolean {
  return /\b(openDatabase|startApp|startEndpoints)\b/.test(text)
}
