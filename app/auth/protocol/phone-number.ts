import { z } from 'zod/mini'

/** A number with its country code, stored as digits without a leading zero. Input may contain plus and spaces. */
export function phoneNumber(sentence: string) {
  const digits = z.overwrite((value: string) => value.replaceAll(/[\s+]/g, ''))
  return z.string(sentence).check(z.maxLength(40, sentence), digits, z.regex(/^[1-9]\d{1,14}$/, sentence))
}
