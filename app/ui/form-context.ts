import { createContext } from 'react'

/** The state that a form shares with its fields and its button. Forms of public pages have none: they give each field its error. */
export const FormContext = createContext<{ errors: Readonly<Record<string, string>>; isSaving: boolean }>({ errors: {}, isSaving: false })
