import { inWords } from '#app/platform/duration.ts'
import { env } from '#app/platform/env.server.ts'

/** A code is short enough to be guessed, so it lives less long than a link. */
const MOST_CODE_SECONDS = 600

/** How long the secrets of a letter work. */
export const lifeSeconds = { link: env.MAILER_OTP_EXP, code: Math.min(MOST_CODE_SECONDS, env.MAILER_OTP_EXP) }

/** The same, as letters and pages say it. */
export const lifeWords = { link: inWords(lifeSeconds.link), code: inWords(lifeSeconds.code) }
