import { z } from 'zod/mini'

export const FIRST_STEPS = '/api/workspace/first-steps'

/** Signals of changes that can complete a step: of the settings, and of public pages such as posts, datasets and free times. */
export const stepEvents = ['settings.changed', 'pages.clear'] as const

/** The steps in the order of the list, each with the place where it is done. */
export const stepTexts = {
  address: { title: 'Confirm your email address', about: 'It signs you in and gets your alerts.', to: '/account#email' },
  factor: { title: 'Turn on two-factor authentication', about: 'Your account can see customer data.', to: '/account/security#two-step' },
  mail: { title: 'Connect your mail server', about: 'Then send yourself a test email.', to: '/admin/settings?section=connections' },
  business: { title: 'Enter your business', about: 'Name, tagline and contact address.', to: '/admin/settings?section=identity' },
  testimonials: {
    title: 'Confirm your testimonials',
    about: 'Replace the examples. Visitors see none until then.',
    to: '/admin/settings?section=testimonials',
  },
  hours: { title: 'Confirm your hours for calls', about: 'Visitors can book calls from then on.', to: '/admin/calendar?tab=hours' },
  place: { title: 'Say where your calls take place', about: 'A link, an address, or that you call.', to: '/admin/calendar?tab=hours' },
  post: { title: 'Publish your first post', about: 'The sample posts don’t count.', to: '/admin/blog?new=post' },
  dataset: { title: 'Publish your first dataset', about: 'The sample datasets don’t count.', to: '/admin/products?new=product' },
  colleague: { title: 'Invite a colleague', about: 'As staff or as another owner.', to: '/admin/users?invite=open' },
} as const

export const stepName = z.enum(['address', 'factor', 'mail', 'business', 'testimonials', 'hours', 'place', 'post', 'dataset', 'colleague'])

export const firstSteps = z.object({
  steps: z.array(z.object({ name: stepName, isDone: z.boolean() })),
  /** For this person. */
  isHidden: z.boolean(),
})

export const firstStepsChoice = z.object({ isHidden: z.boolean() })

export type StepName = z.infer<typeof stepName>
export type FirstSteps = z.infer<typeof firstSteps>

/** Whether the list is shown: it ends when all is done. */
export function areStepsShown({ steps, isHidden }: FirstSteps): boolean {
  return !isHidden && steps.some(({ isDone }) => !isDone)
}
