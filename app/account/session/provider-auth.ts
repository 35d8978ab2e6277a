import type { ServedProvider } from '#app/auth/providers/served-providers.ts'
import { asMember, asVisitor, type Failure } from './auth.ts'

type Done = Promise<{ failure?: Failure }>

/** The URL to which the provider sends people back, with the path to continue to. */
function returnTo(next: string): string {
  return `${location.origin}/login/return?${new URLSearchParams({ next })}`
}

/** Redirects to a provider to sign in. */
export function signInElsewhere(provider: ServedProvider, next: string): Done {
  return asVisitor('Sign in failed', (auth) => auth.signInWithOAuth({ provider, options: { redirectTo: returnTo(next) } }))
}

/** Redirects to a provider to add it as a sign-in method. */
export function connectProvider(provider: ServedProvider): Done {
  return asMember('It could not be connected', (auth) =>
    auth.linkIdentity({ provider, options: { redirectTo: returnTo('/account/security#ways') } }),
  )
}

export function disconnect(identityId: string): Done {
  return asMember('It could not be removed', async (auth) => {
    const { data, error } = await auth.getUserIdentities()
    const identity = data?.identities.find(({ identity_id: id }) => id === identityId)
    return identity ? auth.unlinkIdentity(identity) : { error }
  })
}
