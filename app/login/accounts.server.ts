import {
  changeHostedAddress,
  confirmHosted,
  recoverHosted,
  signInHostedByCode,
  signInHostedByLink,
  type LetterKind,
  requestHostedLetter,
  signInHosted,
  signUpHosted,
} from '#app/hosted/hosted-sign-in.server.ts'
import { projectSettings } from '#app/hosted/project-settings.server.ts'
import type { TokenKind } from '#app/one-time-token/one-time-token.server.ts'
import { leastLength } from '#app/password/password.server.ts'
import type { Metadata } from '#app/identity/user.server.ts'
import { isInboxFor } from '#app/mail/inbox.server.ts'
import { env, isHosted } from '#app/platform/env.server.ts'
import { servesPasskeys } from '#app/passkey/relying-party.server.ts'
import { providers } from '#app/provider/provider-settings.server.ts'
import { type ServedProvider, servedProviders } from '#app/provider/served-providers.ts'
import type { SessionTokens } from '#app/platform/session-cookie.server.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { requestAccountLetter } from '#app/confirmation/account-letter.server.ts'
import type { Client } from '#app/session/client.ts'
import { openedLink } from '#app/confirmation/failed-proof.server.ts'
import { findRecovery, recoverPassword, type Recovery } from '#app/confirmation/recovery.server.ts'
import type { OpenSession } from '#app/session/session.server.ts'
import { toSessionAnswer } from '#app/session/session-answer.server.ts'
import { signIn } from '#app/session/sign-in.server.ts'
import { signUp } from '#app/confirmation/sign-up.server.ts'
import { confirmByLink, verifyCode, verifyLink } from '#app/confirmation/verification.server.ts'

export type Wanted = { email: string; password: string; data: Metadata }

/** What the sign-in pages do without script, wherever accounts are kept. What the person can correct is a stop with the words for it. */
export type Accounts = {
  signIn: (email: string, password: string, client: Client) => Promise<SessionTokens>
  /** Nothing where the address has to be confirmed first. */
  signUp: (wanted: Wanted, client: Client) => Promise<SessionTokens | undefined>
  isClosed: () => Promise<boolean>
  /** Programs have to solve a captcha, and our pages bring none: the server then takes their forms itself, as it does without script. */
  asksCaptcha: boolean
  sendLetter: (kind: LetterKind, email: string, client: Client) => Promise<void>
  /** Services elsewhere that one can sign in with, by their names in the auth protocol. */
  providers: () => Promise<ServedProvider[]>
  /** Whether passkeys sign in here. */
  hasPasskeys: () => Promise<boolean>
  /** Whether a link would work, as far as that can be told without using it up. */
  isLinkGood: (link: string, kinds: readonly TokenKind[], client: Client) => Promise<boolean>
  /** These two answer nothing where that leads elsewhere. */
  signInByCode: (email: string, code: string, client: Client) => Promise<SessionTokens | undefined>
  signInByLink: (link: string, client: Client) => Promise<SessionTokens | undefined>
  /** Of the two letters of a new address the first one does half of it; nothing for a link that was not good. */
  changeAddress: (link: string, client: Client) => Promise<'done' | 'half' | undefined>
  /** These two answer whether the link was good. */
  confirm: (link: string, client: Client) => Promise<boolean>
  recover: (link: string, password: string, client: Client, keys?: { revokesKeys: boolean }) => Promise<boolean>
  /** How long a password has to be that is set by a link; nothing when it is known not to work. */
  findRecovery: (link: string, client: Client) => Promise<Recovery | undefined>
  /** Whether the letters of accounts wait in the inbox of this machine. */
  isInboxFor: (visit: Visit) => boolean
}

const embedded: Accounts = {
  signIn: async (email, password, client) => tokensOf(await signIn({ email }, password, client)),
  async signUp(wanted, client) {
    const { session } = await signUp(wanted, client)
    return session && tokensOf(session)
  },
  isClosed: async () => env.DISABLE_SIGNUP,
  asksCaptcha: env.SECURITY_CAPTCHA_ENABLED,
  sendLetter: (kind, email, { address, signUpBrowser }) => requestAccountLetter({ kind, email, browser: signUpBrowser }, { address }),
  providers: async () => [...providers.keys()],
  hasPasskeys: async () => servesPasskeys(),
  isLinkGood: async (link, kinds, client) => (await openedLink(link, kinds, client)) !== undefined,
  async signInByCode(email, code, client) {
    const verified = await verifyCode('email', email, code, client)
    return 'session' in verified ? tokensOf(verified.session) : undefined
  },
  async signInByLink(link, client) {
    const verified = await verifyLink('email', link, client)
    return 'session' in verified ? tokensOf(verified.session) : undefined
  },
  changeAddress: (link, client) => confirmByLink(link, client, 'email_change'),
  confirm: async (link, client) => (await confirmByLink(link, client)) !== undefined,
  recover: recoverPassword,
  findRecovery,
  isInboxFor,
}

/** The service tells nothing about a link until it is used, and it sends its letters itself. */
const hosted: Accounts = {
  signIn: signInHosted,
  signUp: signUpHosted,
  isClosed: async () => (await projectSettings()).disable_signup,
  // What a project asks for, it asks of the server as well.
  asksCaptcha: false,
  sendLetter: requestHostedLetter,
  async providers() {
    const { external } = await projectSettings()
    return servedProviders.filter((name) => external[name])
  },
  hasPasskeys: async () => (await projectSettings()).passkeys_enabled,
  isLinkGood: async (link) => link !== '',
  signInByCode: signInHostedByCode,
  signInByLink: signInHostedByLink,
  changeAddress: changeHostedAddress,
  confirm: confirmHosted,
  recover: recoverHosted,
  findRecovery: async (link) => (link === '' ? undefined : { leastLength: leastLength('customer'), isFirst: false, keys: 0 }),
  isInboxFor: () => false,
}

export const accounts = isHosted ? hosted : embedded

async function tokensOf(session: OpenSession): Promise<SessionTokens> {
  const { access_token: access, refresh_token: refresh } = await toSessionAnswer(session)
  return { access, refresh }
}
