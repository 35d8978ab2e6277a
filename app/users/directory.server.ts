import { embeddedDirectory } from './embedded-directory.server.ts'

/** Everyone with an account, wherever accounts are kept: what the owner of the installation can see and do. */
export const directory = embeddedDirectory
