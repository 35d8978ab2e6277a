import { env, isHosted } from '#app/platform/env.server.ts'
import { embeddedDirectory } from './embedded-directory.server.ts'
import { hostedDirectory } from './hosted-directory.server.ts'

/** Everyone with an account, wherever accounts are kept: what the owner of the installation can see and do. */
export const directory: typeof embeddedDirectory = isHosted ? hostedDirectory : embeddedDirectory

/** Whether people can be invited and accounts deleted from here: a hosted service lets us do that with its secret key alone. */
export const mayAdminister = !isHosted || env.SUPABASE_SECRET_KEY !== undefined
