/** Lines at the end of an email in which a signature is looked for. */
const SIGNATURE_LINES = 10
/** Longer lines are sentences. */
const MOST_WORDS = 7

const LEGAL_FORM =
  /(^|\s)(gmbh|ag|kg|ohg|ug|ltd|limited|llc|llp|inc|corp|corporation|plc|pty|s\.?a\.?|s\.?a\.?s\.?|sarl|s\.?r\.?l\.?|s\.?p\.?a\.?|b\.?v\.?|n\.?v\.?|oy|ab|a\/s|aps|sp\. z o\.o)\.?(\s|$)/i

/** The company that a signature names: in a part of a line with a legal form, or with the name of the sender's domain. A guess, for a person to confirm. */
export function companyInSignature(text: string, domain: string | null): string | undefined {
  const [, ...lines] = text.split('\n').flatMap((line) => line.trim() || [])
  const names = (domain ?? '')
    .split('.')
    .slice(0, -1)
    .filter((name) => name.length > 2 && name !== 'com')
    .map(plain)
  const parts = lines
    .slice(-SIGNATURE_LINES)
    .filter((line) => !/@|www\.|:\/\//.test(line))
    .flatMap((line) => line.split(/\s*[|·•]\s*|\s+[-–—]\s+/))
    .filter((part) => part.split(/\s+/).length <= MOST_WORDS && !/[?!:]$/.test(part))
  return parts.find((part) => LEGAL_FORM.test(part) || names.some((name) => plain(part).includes(name)))
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
