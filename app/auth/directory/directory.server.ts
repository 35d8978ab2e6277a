import { isHosted } from '#app/platform/env.server.ts'
import { embeddedDirectory } from './embedded-directory.server.ts'
import { hostedDirectory } from './hosted-directory.server.ts'

/** All accounts, in our own database or at a hosted service, as the installation's owner sees and changes them. */
export const directory: typeof embeddedDirectory = isHosted ? hostedDirectory : embeddedDirectory
