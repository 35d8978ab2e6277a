import { z } from 'zod/mini'

/** Accepts the same as `input[type=email]`, at most 255 characters, in lower case. */
export function emailAddress(sentence: string) {
  return z.string(sentence).check(z.trim(), z.maxLength(255, sentence), z.regex(z.regexes.html5Email, sentence), z.toLowerCase())
}
