import { env, isHosted } from '#app/platform/env.server.ts'
import type { embeddedDirectory } from './embedded-directory.server.ts'

export type Directory = typeof embeddedDirectory

/** Everyone with an account, wherever accounts are kept: what the owner of the installation can see and do. */
export let directory: Directory

/** Says where accounts are kept; called where the product is put together. */
export function useDirectory(kept: Directory) {
  directory = kept
}

/** Whether people can be invited and accounts deleted from here: a hosted service lets us do that with its secret key alone. */
export const mayAdminister = !isHosted || env.SUPABASE_SECRET_KEY !== undefined
