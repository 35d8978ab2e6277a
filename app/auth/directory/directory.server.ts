import { env, isHosted } from '#app/platform/env.server.ts'
import type { embeddedDirectory } from './embedded-directory.server.ts'

export type Directory = typeof embeddedDirectory

/** All accounts, in our own database or at the hosted service, as the installation's owner sees and changes them. */
export let directory: Directory

/** Sets the directory in use. Called at startup. */
export function setDirectory(kept: Directory) {
  directory = kept
}

/** Whether we can invite people and delete accounts: a hosted service needs its secret key for that. */
export const mayAdminister = !isHosted || env.SUPABASE_SECRET_KEY !== undefined
