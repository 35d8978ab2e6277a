/** Many mail servers refuse such an address, so an answer would not arrive. */
export const SPECIAL_LETTERS = 'Please use an email address without accents or other special letters before the @'

/** Longer texts are no address. */
const MOST = 255

/** The domain of an address in ASCII, as mail servers know it: `müller.de` is `xn--mller-kva.de`. */
export function withAsciiDomain(text: string): string {
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1)
  if (at < 1 || domain.length > MOST || /^[\x21-\x7E]*$/.test(domain)) return text
  return `${text.slice(0, at)}@${URL.parse(`http://${domain}`)?.hostname ?? domain}`
}

/** The sentence for a text that is no address: its own where only special letters are in the way. */
export const notAnAddress = (sentence: string) => ({
  error: ({ input }: { input?: unknown }) =>
    typeof input === 'string' && /^[^\s@]*[^\0-\x7F][^\s@]*@[^\s@]+$/.test(input) ? SPECIAL_LETTERS : sentence,
})
