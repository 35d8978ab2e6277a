import { z } from 'zod'
import { emailAddress } from '#app/auth/protocol/email-address.ts'
import { oneLine } from '#app/platform/text/clean-text.ts'
import { fetchJson } from './provider-fetch.server.ts'

/** A user's profile at a provider. `emailVerified` is true only if the provider says so. */
export type ProviderProfile = {
  subject: string
  email: string | undefined
  emailVerified: boolean
  data: Record<string, unknown>
  /** Other addresses that the provider has verified. */
  otherEmails?: string[]
}

export type ReadProfile = (accessToken: string) => Promise<ProviderProfile>

const LONGEST = 300

/** Optional text: missing, too long or wrong values are dropped. Characters that the database cannot store are removed. */
const word = z.string().overwrite(oneLine).min(1).max(LONGEST).optional().catch(undefined)
const address = z
  .string()
  .transform((value) => emailAddress('').safeParse(value).data)
  .optional()
  .catch(undefined)
const proven = z
  .union([z.literal(true), z.literal('true'), z.literal(1), z.literal('1')])
  .optional()
  .catch(undefined)
const id = z.union([
  z
    .string()
    .min(1)
    .max(LONGEST)
    .regex(/^[^\p{Cc}\p{Cs}]+$/u),
  z.number().transform(String),
])

const claims = z.looseObject({
  iss: word,
  sub: id,
  email: address,
  email_verified: proven,
  // Microsoft's claim for an address that the organization owns.
  xms_edov: proven,
  name: word,
  nickname: word,
  preferred_username: word,
  picture: word,
})

/** Reads the profile from ID token claims; `undefined` without a usable subject. */
export function readClaims(payload: unknown): ProviderProfile | undefined {
  const { data: known } = claims.safeParse(payload)
  if (!known) return undefined
  return toProfile(known.sub, {
    email: known.email,
    emailVerified: Boolean(known.email_verified ?? known.xms_edov),
    name: known.name ?? known.nickname,
    userName: known.preferred_username,
    picture: known.picture,
    issuer: known.iss,
  })
}

const gitHubUser = z.looseObject({ id, login: word, name: word, avatar_url: word })
const gitHubEmails = z.array(z.looseObject({ email: address, primary: z.boolean(), verified: z.boolean() }))

export function readGitHub(api: string): ReadProfile {
  return async (token) => {
    const headers = { ...bearer(token), accept: 'application/vnd.github+json' }
    const [user, emails] = await Promise.all([fetchJson(`${api}/user`, { headers }), fetchJson(`${api}/user/emails`, { headers })])
    const { id: subject, login, name, avatar_url: picture } = gitHubUser.parse(user)
    const known = gitHubEmails.parse(emails)
    const main = known.find(({ primary }) => primary)
    const otherEmails = known.flatMap(({ email, primary, verified }) => (email && verified && !primary ? email : []))
    const profile = toProfile(subject, {
      email: main?.email,
      emailVerified: main?.verified ?? false,
      name,
      userName: login,
      picture,
      issuer: api,
    })
    return { ...profile, otherEmails }
  }
}

const discordUser = z.looseObject({ id, username: word, global_name: word, avatar: word, email: address, verified: proven })

export function readDiscord(url: string): ReadProfile {
  return async (token) => {
    const {
      id: subject,
      username,
      global_name: name,
      avatar,
      email,
      verified,
    } = discordUser.parse(await fetchJson(url, { headers: bearer(token) }))
    const picture = avatar && `https://cdn.discordapp.com/avatars/${subject}/${avatar}.png`
    return toProfile(subject, { email, emailVerified: Boolean(verified), name: name ?? username, userName: username, picture, issuer: url })
  }
}

const facebookUser = z.looseObject({
  id,
  name: word,
  email: address,
  picture: z
    .object({ data: z.object({ url: word }) })
    .optional()
    .catch(undefined),
})

/** Facebook does not say whether the address is verified. */
export function readFacebook(url: string): ReadProfile {
  return async (token) => {
    const user = facebookUser.parse(await fetchJson(`${url}?fields=id,name,email,picture`, { headers: bearer(token) }))
    return toProfile(user.id, { email: user.email, emailVerified: false, name: user.name, picture: user.picture?.data.url, issuer: url })
  }
}

const spotifyUser = z.looseObject({ id, display_name: word, email: address })

/** Spotify does not verify the address. */
export function readSpotify(url: string): ReadProfile {
  return async (token) => {
    const { id: subject, display_name: name, email } = spotifyUser.parse(await fetchJson(url, { headers: bearer(token) }))
    return toProfile(subject, { email, emailVerified: false, name, issuer: url })
  }
}

type Known = {
  email: string | undefined
  emailVerified: boolean
  name?: string | undefined
  userName?: string | undefined
  picture?: string | undefined
  issuer?: string | undefined
}

/** Uses the names that clients of the protocol expect. */
function toProfile(subject: string, { email, emailVerified, name, userName, picture, issuer }: Known): ProviderProfile {
  const data = {
    iss: issuer,
    sub: subject,
    provider_id: subject,
    name,
    full_name: name,
    user_name: userName,
    preferred_username: userName,
    picture,
    avatar_url: picture,
    email,
    email_verified: email !== undefined && emailVerified,
    phone_verified: false,
  }
  return {
    subject,
    email,
    emailVerified: email !== undefined && emailVerified,
    data: Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)),
  }
}

function bearer(token: string) {
  return { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': 'winnow' }
}
