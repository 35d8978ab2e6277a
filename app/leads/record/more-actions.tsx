import { createContext } from 'react'
import type { LeadDetail } from './timeline.ts'

/** Buttons beside those of a lead, from nouns that stand above leads. The layout of the page gives them. */
export const MoreLeadActions = createContext<(lead: LeadDetail) => React.ReactNode>(() => null)
