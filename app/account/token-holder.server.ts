import type { Client } from '#app/session/client.ts'
import type { TokenHolder } from '#app/session/token-holder.ts'

/** Who holds an access token; nobody where it is not genuine, its session has ended, or its holder may not come in. */
export let findTokenHolder: (token: string, client: Client) => Promise<TokenHolder | undefined>

/** Says who knows the tokens of this installation; called where the product is put together. */
export function useTokenHolders(find: typeof findTokenHolder) {
  findTokenHolder = find
}
