import {
  changeHostedAddress,
  confirmHosted,
  recoverHosted,
  signInHostedByCode,
  signInHostedByLink,
  type EmailKind,
  requestHostedEmail,
  signInHosted,
  signUpHosted,
} from '#app/auth/hosted/hosted-sign-in.server.ts'
import { projectSettings } from '#app/auth/hosted/project-settings.server.ts'
import type { TokenKind } from '#app/auth/tokens/one-time-token.server.ts'
import { leastLength } from '#app/auth/sessions/password.server.ts'
import type { Metadata } from '#app/auth/users/user.server.ts'
import { isInboxFor } from '#app/mail/inbox.server.ts'
import { env, isHosted } from '#app/platform/env.server.ts'
import { servesPasskeys } from '#app/auth/mfa/relying-party.server.ts'
import { providers } from '#app/auth/providers/provider-settings.server.ts'
import { type ServedProvider, servedProviders } from '#app/auth/providers/served-providers.ts'
import type { SessionTokens } from '#app/platform/http/session-cookie.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { requestAccountEmail } from '#app/auth/verification/account-email.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { openedLink } from '#app/auth/verification/failed-proof.server.ts'
import { findRecovery, recoverPassword, type Recovery } from '#app/auth/verification/recovery.server.ts'
import type { OpenSession } from '#app/auth/sessions/session.server.ts'
import { toSessionAnswer } from '#app/auth/sessions/session-response.server.ts'
import { signIn } from '#app/auth/sessions/sign-in.server.ts'
import { signUp } from '#app/auth/verification/sign-up.server.ts'
import { confirmByLink, verifyCode, verifyLink } from '#app/auth/verification/verification.server.ts'

export type Wanted = { email: string; password: string; data: Metadata }

/** The sign-in operations without JavaScript, for local and hosted accounts. A correctable error stops with its text. */
export type Accounts = {
  signIn: (email: string, password: string, client: Client) => Promise<SessionTokens>
  /** Returns `undefined` when the address has to be confirmed first. */
  signUp: (wanted: Wanted, client: Client) => Promise<SessionTokens | undefined>
  isClosed: () => Promise<boolean>
  /**
   * Clients of the auth service have to solve a captcha, and our pages have none: the server handles their forms itself, as without
   * JavaScript.
   */
  asksCaptcha: boolean
  sendLetter: (kind: EmailKind, email: string, client: Client) => Promise<void>
  /** The sign-in providers, by their names in the auth protocol. */
  providers: () => Promise<ServedProvider[]>
  /** Whether passkeys are enabled. */
  hasPasskeys: () => Promise<boolean>
  /** Whether a link would work, as far as that is known without using it up. */
  isLinkGood: (link: string, kinds: readonly TokenKind[], client: Client) => Promise<boolean>
  /** These two return `undefined` when the token does not open a session. */
  signInByCode: (email: string, code: string, client: Client) => Promise<SessionTokens | undefined>
  signInByLink: (link: string, client: Client) => Promise<SessionTokens | undefined>
  /** The first of the two emails of a new address does half of the change. Returns nothing for an invalid link. */
  changeAddress: (link: string, client: Client) => Promise<'done' | 'half' | undefined>
  /** These two return whether the link was valid. */
  confirm: (link: string, client: Client) => Promise<boolean>
  recover: (link: string, password: string, client: Client, keys?: { revokesKeys: boolean }) => Promise<boolean>
  /** The minimum length of the new password; `undefined` when the link is known to be invalid. */
  findRecovery: (link: string, client: Client) => Promise<Recovery | undefined>
  /** Whether account emails go to the local inbox of this machine. */
  isInboxFor: (requestContext: RequestContext) => boolean
}

const embedded: Accounts = {
  signIn: async (email, password, client) => tokensOf(await signIn({ email }, password, client)),
  async signUp(wanted, client) {
    const { session } = await signUp(wanted, client)
    return session && tokensOf(session)
  },
  isClosed: async () => env.DISABLE_SIGNUP,
  asksCaptcha: env.SECURITY_CAPTCHA_ENABLED,
  sendLetter: (kind, email, { address, signUpBrowser }) => requestAccountEmail({ kind, email, browser: signUpBrowser }, { address }),
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

/** The service reveals nothing about a link before its use, and it sends its own emails. */
const hosted: Accounts = {
  signIn: signInHosted,
  signUp: signUpHosted,
  isClosed: async () => (await projectSettings()).disable_signup,
  // The project's requirements also apply to requests from the server.
  asksCaptcha: false,
  sendLetter: requestHostedEmail,
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
