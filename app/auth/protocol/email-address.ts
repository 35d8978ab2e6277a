import { z } from 'zod/mini'
import { notAnAddress, withAsciiDomain } from '#app/platform/text/email-address.ts'

/** Accepts the same as `input[type=email]`, at most 255 characters, in lower case, with an ASCII domain. */
export function emailAddress(sentence: string) {
  return z
    .string(sentence)
    .check(
      z.trim(),
      z.overwrite(withAsciiDomain),
      z.maxLength(255, sentence),
      z.regex(z.regexes.html5Email, notAnAddress(sentence)),
      z.toLowerCase(),
    )
}

const DOTTED = /@.*\./

/**
 * The rule for an address that is new to us: its domain has a dot, because nobody on the internet gets an email at `ada@example`. Accounts from
 * before this rule, or of a machine's own mail server, still sign in by `emailAddress`.
 */
export function newEmailAddress(sentence: string) {
  return emailAddress(sentence).check(z.regex(DOTTED, sentence))
}

/** Applies the same rule to an address that `emailAddress` has read. */
export function mayBeNew(address: string): boolean {
  return DOTTED.test(address)
}
