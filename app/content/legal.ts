import { identity } from './identity.ts'
import { liveContent } from './settings/live.ts'
import { terms } from './terms.ts'
import { currencies, writtenForm } from '#app/platform/text/written-form.ts'

/** The business behind the brand, as the legal texts name it. Examples: put your own registration here, and ask a lawyer. */
const defaultEntity: Entity = {
  get name() {
    return `${identity.name} LLC`
  },
  address: '1200 Example Street, Suite 4, Wilmington, DE 19801, United States',
  law: 'the State of Delaware, United States',
  courts: 'Wilmington, Delaware',
}

export const legalEntity = liveContent('legal', defaultEntity, ({ name, address, law, courts }) => ({ name, address, law, courts }))

type Entity = { readonly name: string; readonly address: string; readonly law: string; readonly courts: string }

/** The legal texts; their Markdown is in `legal/`, under the same names. A new version needs a new date and an entry in `changes`. */
const defaultDocuments: Documents = {
  'privacy-policy': {
    title: 'Privacy Policy',
    updated: 'December 21, 2024',
    changes: [],
  },
  'terms-of-service': {
    title: 'Terms of Service',
    updated: 'December 21, 2024',
    changes: [],
  },
  'cookie-policy': {
    title: 'Cookie Policy',
    updated: 'December 21, 2024',
    changes: [],
  },
}

export const legalDocuments = liveContent('legal', defaultDocuments, (saved): Documents => {
  const dated = (name: LegalName): LegalDocument => ({ ...defaultDocuments[name], updated: saved[name] })
  return {
    'privacy-policy': dated('privacy-policy'),
    'terms-of-service': dated('terms-of-service'),
    'cookie-policy': dated('cookie-policy'),
  }
})

/** The frame of a legal text. */
export const legalWords = {
  updated: 'Last updated',
  contents: 'On this page',
  changes: 'What changed',
  unknown: 'There is no such text.',
} as const

export type LegalName = 'privacy-policy' | 'terms-of-service' | 'cookie-policy'
type Documents = Readonly<Record<LegalName, LegalDocument>>

export function isLegalName(name: string): name is LegalName {
  return Object.hasOwn(legalDocuments, name)
}

type LegalDocument = {
  readonly title: string
  readonly updated: string
  /** The changes of each later version, newest first. */
  readonly changes: readonly { readonly date: string; readonly text: string }[]
}

/** The values of `{{name}}` in the Markdown. */
export const legalFigures = (): Readonly<Record<string, string>> => ({
  name: identity.name,
  email: identity.email,
  entity: legalEntity.name,
  address: legalEntity.address,
  law: legalEntity.law,
  courts: legalEntity.courts,
  call: terms.call,
  acknowledgement: terms.acknowledgement,
  response: terms.response,
  answer: terms.answer,
  deposit: terms.deposit,
  accuracy: terms.accuracy,
  currency: currencies[writtenForm().currency],
  correction: terms.correction,
  workingCopies: terms.workingCopies,
  analyticsKept: terms.analyticsKept,
  auditKept: `${terms.auditMonths} months`,
})
