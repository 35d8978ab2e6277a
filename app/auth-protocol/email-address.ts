import { z } from 'zod/mini'

/** What `input[type=email]` accepts, at most 255 characters, in lower case. */
export function emailAddress(sentence: string) {
  return z.string(sentence).check(z.trim(), z.maxLength(255, sentence), z.regex(z.regexes.html5Email, sentence), z.toLowerCase())
}
