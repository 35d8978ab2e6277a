import { createContext } from 'react'
import type { ShellData } from './shell-data.server.ts'

/** Set by the server's entry for a page that its visitor may not open: no loader has run, but the shell is theirs. */
export const RefusedShell = createContext<ShellData | null>(null)
