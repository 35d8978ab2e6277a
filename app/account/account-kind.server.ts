import type { RawBuilder } from 'kysely'
import type { EmailKind } from '#app/auth/hosted/hosted-sign-in.server.ts'
import type { ServedProvider } from '#app/auth/providers/served-providers.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import type { Principal } from '#app/auth/sessions/principal.ts'
import type { SessionUser } from '#app/auth/sessions/user-factors.server.ts'
import type { TokenKind } from '#app/auth/tokens/one-time-token.server.ts'
import type { Metadata } from '#app/auth/users/user.server.ts'
import type { Recovery } from '#app/auth/verification/recovery.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import type { SessionTokens } from '#app/platform/http/session-cookie.server.ts'
import type { Source } from '#app/platform/http/source.ts'
import type { CurrentUser } from './session/current-user.ts'
import type { OwnAccount, OwnPasskey } from './settings/account.ts'
import type { OwnFactor } from '#app/account/session/own-factor.ts'

/**
 * Everything that people do with their own account, where our own database and a hosted service differ. A correctable error stops with its text.
 * `directory` is the same for the owner, who manages all accounts.
 */
export type AccountKind = SignIn & Session & SecondFactor & Profile & Departure

/** Address and account are unknown where a hosted service holds them. */
export type Confirmed = { userId?: string; email?: string; tokens?: SessionTokens }

/** The link of a sign-up from elsewhere: it works only with a new password. */
export type AsksPassword = { asksPassword: string }

/** The sign-in pages without JavaScript. */
type SignIn = {
  signIn: (email: string, password: string, client: Client) => Promise<SessionTokens>
  /** Returns `undefined` when the address has to be confirmed first. */
  signUp: (
    wanted: { email: string; password: string; data: Metadata },
    source: Source,
    client: Client,
  ) => Promise<SessionTokens | undefined>
  isClosed: () => Promise<boolean>
  /**
   * Clients of the auth service have to solve a captcha, and our pages have none: the server handles their forms itself, as without
   * JavaScript.
   */
  asksCaptcha: boolean
  /** `source` is stored with an account that a sign-in creates. */
  sendLetter: (kind: EmailKind, email: string, client: Client, source?: Source) => Promise<void>
  /** The sign-in providers, by their names in the auth protocol. */
  providers: () => Promise<ServedProvider[]>
  /** Whether passkeys are enabled. */
  hasPasskeys: () => Promise<boolean>
  /** How a link would work, as far as that is known without using it up. Returns nothing for an invalid link. */
  findUse: (link: string, kinds: readonly TokenKind[], client: Client) => Promise<{ asksPassword: boolean } | undefined>
  /** These two return `undefined` when the token does not open a session. `asksPassword` has the link that works with a new password. */
  signInByCode: (email: string, code: string, client: Client) => Promise<SessionTokens | AsksPassword | undefined>
  signInByLink: (link: string, client: Client) => Promise<SessionTokens | AsksPassword | undefined>
  /** The first of the two emails of a new address does half of the change. Returns nothing for an invalid link. */
  changeAddress: (link: string, client: Client) => Promise<'done' | 'half' | undefined>
  /** Returns nothing for an invalid link. With `tokens`, the browser is the one that signed up. `opensSession`: nobody is signed in there. */
  confirm: (link: string, client: Client, here: { opensSession: boolean }) => Promise<Confirmed | AsksPassword | undefined>
  /** Whether the link was valid. */
  recover: (link: string, password: string, client: Client, more?: { revokesKeys: boolean; profile: Metadata }) => Promise<boolean>
  /** The minimum length of the new password; `undefined` when the link is known to be invalid. */
  findRecovery: (link: string, client: Client) => Promise<Recovery | undefined>
  /** Whether account emails go to the local inbox of this machine. */
  isInboxFor: (requestContext: RequestContext) => boolean
}

export type SessionId = Pick<CurrentUser, 'id' | 'sessionId'>

/** The tokens of a browser's session, as far as it still has them. */
export type SessionCookies = { access: string | undefined; refresh: string | undefined }

type Session = {
  /** The user of an access token; `undefined` when it is not genuine, its session has ended, or its user is suspended. */
  findPrincipal: (token: string, client: Client) => Promise<Principal | undefined>
  /** Whether a token is genuine and expired at most so many seconds ago. Runs no query. */
  isGenuine: (token: string, expiredFor: number) => Promise<boolean>
  /** The account and session in our own database. Stops for an account at a hosted service. */
  findSession: (of: SessionId) => Promise<SessionUser>
  /** Ends the session of a browser, even if its access token has expired. */
  signOut: (cookies: SessionCookies, client: Client) => Promise<void>
  /** Returns whether the sessions ended. A hosted service ends its own at our page's request. */
  endEverySession: (of: SessionId, revokesKeys: boolean) => Promise<boolean>
}

/** A verified factor. */
export type UsableFactor = { id: string; name: string | null | undefined; type: string; phone: string | null | undefined }
export type FactorAnswer = { factorId: string; challengeId: string; code: string }

type SecondFactor = {
  /** The factor types that can be set up, and the seconds between two messages to one phone. */
  offeredFactorTypes: OwnAccount['secondSteps']
  /** The verified factors that are enabled here. */
  listFactors: (of: SessionId, requestContext: RequestContext) => Promise<UsableFactor[]>
  /** Starts a challenge, which sends a phone its code. Returns the challenge's id. */
  beginChallenge: (of: SessionId, factorId: string, requestContext: RequestContext) => Promise<string>
  answerChallenge: (of: SessionId, answer: FactorAnswer, requestContext: RequestContext) => Promise<SessionTokens>
  /** Only accounts in our own database have recovery codes. */
  hasRecoveryCodes: boolean
  answerByRecoveryCode: (of: SessionId, code: string) => Promise<SessionTokens>
}

/** The fields of the account page that each kind of account stores in its own way. */
export type StoredProfile = Pick<
  OwnAccount,
  | 'email'
  | 'phone'
  | 'newEmail'
  | 'newEmailSentAt'
  | 'hasPassword'
  | 'asksCurrentPassword'
  | 'identities'
  | 'connectable'
  | 'mayConnect'
  | 'createdAt'
> & { userMetadata: Metadata }

/** A list of the personal data export, and the query for its rows; each has an `id`. */
export type ExportPart = [name: string, rows: RawBuilder<unknown>]

type Profile = {
  findProfile: (id: string, requestContext: RequestContext) => Promise<StoredProfile>
  /** The verified second factors, including those that are disabled here. */
  listOwnFactors: (of: Pick<CurrentUser, 'id'>, requestContext: RequestContext) => Promise<OwnFactor[]>
  listOwnPasskeys: (of: Pick<CurrentUser, 'id'>, requestContext: RequestContext) => Promise<OwnPasskey[]>
  /** Sets the URL of the picture, and saves the picture itself. */
  changePicture: (id: string, url: string | null, save: (trx: Trx) => Promise<void>, requestContext: RequestContext) => Promise<void>
  /** The stored data of the account without secrets; `undefined` if it no longer exists. */
  exportAccount: (id: string) => Promise<{ profile: object; deletion?: object | null; parts: ExportPart[] } | undefined>
}

/** `phone` is known only for accounts in our own database. */
export type LeavingAccount = { id: string; email: string | null; phone: string | null }

type Departure = {
  /** Locks the account's deletion until the transaction ends. */
  lock: (trx: Trx, id: string) => Promise<LeavingAccount | undefined>
  /** The phone number by which an account without an address confirms its deletion, where only a hosted service knows it. */
  findPhone: (of: Pick<CurrentUser, 'email'>, requestContext: RequestContext) => Promise<string | undefined>
  remove: (trx: Trx, id: string) => Promise<void>
  /** Whether the account remains at a hosted service from which we cannot delete it. */
  remainsElsewhere: boolean
}
