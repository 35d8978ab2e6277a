import type { ServedProvider } from '#app/provider/served-providers.ts'
import { asMember, asVisitor, type Failure } from './auth.ts'

type Done = Promise<{ failure?: Failure }>

/** Where another service sends people back to, and where they want to go on to from there. */
function returnTo(next: string): string {
  return `${location.origin}/login/return?${new URLSearchParams({ next })}`
}

/** Leaves for another service, to sign in with it. */
export function signInElsewhere(provider: ServedProvider, next: string): Done {
  return asVisitor('Sign in failed', (auth) => auth.signInWithOAuth({ provider, options: { redirectTo: returnTo(next) } }))
}

/** Leaves for another service, to sign in with that as well from now on. */
export function connect(provider: ServedProvider): Done {
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
