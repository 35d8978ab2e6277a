import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** One of the four enquiry forms: its page, Ada's input by label, and its texts. */
export type Form = {
  path: string
  submit: string
  /** In the order of the form, without optional fields. */
  answers: Record<string, string>
  /** Its errors for an empty form, in the order of the form. */
  missing: string[]
  sent: [title: string, text: string]
  failed: [title: string, text: string]
}

const ada = { Name: 'Ada Lovelace', Email: 'ada@analytical.example' }
const Message = 'We compare prices by hand and would like a table instead.'
const shortMessage = 'Message must be at least 10 characters'
const usual = {
  sent: ['Message Sent Successfully!', 'Thank you for your inquiry. We will get back to you within 24 hours.'],
  failed: ['Error', 'Failed to send message. Please try again.'],
} satisfies Pick<Form, 'sent' | 'failed'>
const hire = {
  sent: ['Message sent successfully!', "We'll get back to you within 24 hours with a detailed proposal."],
  failed: ['Error sending message', 'Please try again or contact us directly.'],
} satisfies Pick<Form, 'sent' | 'failed'>
const plain = ['Name is required', 'Invalid email address', 'Please select your country', 'Please describe your problem', shortMessage]

export const forms: Record<'home' | 'contact' | 'landing' | 'hire', Form> = {
  home: {
    path: '/',
    submit: 'Get Your Free Consultation',
    answers: { ...ada, Country: 'Germany', 'Problem or service': 'Price Monitoring', Message },
    missing: plain,
    ...usual,
  },
  contact: {
    path: '/contact',
    submit: 'Send Message',
    answers: { ...ada, Country: 'Österreich', Problem: 'Prices of 40 shops', Message },
    missing: plain,
    ...usual,
  },
  landing: {
    path: '/get-started',
    submit: 'Get My Proposal',
    answers: { Problem: 'Lead Generation', Message, ...ada, Country: 'Germany' },
    missing: ['Please select a problem type', shortMessage, 'Name is required', 'Invalid email address', 'Country is required'],
    ...usual,
  },
  hire: {
    path: '/hire-web-scraping-developer',
    submit: 'Get Your Free Quote',
    answers: { ...ada, Country: 'Germany', 'Data challenges': 'Prices of forty shops, by hand.', 'Project details': Message },
    missing: [
      'Name must be at least 2 characters',
      'Please enter a valid email address',
      'Country is required',
      'Please describe your data challenges (minimum 10 characters)',
      'Please provide additional project details (minimum 10 characters)',
    ],
    ...hire,
  },
}

/** A form on its page, in a visitor's view. */
export function meet(page: Page, form: Form) {
  const field = (label: string) => page.locator('#enquiry').getByLabel(label, { exact: true })
  const each = async (look: (control: Locator, answer: string) => Promise<void>) => {
    for (const [label, answer] of Object.entries(form.answers)) await look(field(label), answer)
  }
  return {
    field,
    send: page.getByRole('button', { name: form.submit, exact: true }),
    summary: page.getByRole('region', { name: 'Errors to correct' }).getByRole('link'),
    fill: () => each(answerBy),
    expectKept: () => each((control, answer) => expect(control).toHaveValue(answer)),
    expectEmpty: () => each((control) => expect(control).toHaveValue('')),
    /** It becomes live on first touch; before, it is native HTML. */
    wake: async () => {
      await field('Name').focus()
      await expect(page.locator('[data-island][data-awake="yes"]')).toHaveCount(1)
    },
  }
}

async function answerBy(control: Locator, answer: string) {
  const isChoice = await control.evaluate((element) => element.tagName === 'SELECT')
  await (isChoice ? control.selectOption(answer) : control.fill(answer))
}
