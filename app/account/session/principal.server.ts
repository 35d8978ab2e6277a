import type { Client } from '#app/auth/sessions/client.ts'
import type { Principal } from '#app/auth/sessions/principal.ts'

/** The holder of an access token; `undefined` when it is not genuine, its session has ended, or its user is suspended. */
export let findPrincipal: (token: string, client: Client) => Promise<Principal | undefined>

/** Sets the function that checks access tokens; called where the product is assembled. */
export function setPrincipalFinder(find: typeof findPrincipal) {
  findPrincipal = find
}
