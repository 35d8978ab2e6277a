import { z } from 'zod/mini'
import { withdrawalWords } from '#app/content/withdrawal.ts'
import { atMost, oneLine } from '#app/platform/text/clean-text.ts'

const { missing, badEmail, noName } = withdrawalWords.find

const given = (sentence: string, most: number) =>
  z.string(sentence).check(z.overwrite(oneLine), z.minLength(1, sentence), ...atMost(most, `At most ${most} characters`))

/** The fields of both steps. */
export const withdrawalBody = z.object({
  reference: given(missing, 20),
  email: given(badEmail, 320).check(z.regex(/^[^\s@]+@[^\s@]+$/, badEmail)),
  name: given(noName, 120),
})
