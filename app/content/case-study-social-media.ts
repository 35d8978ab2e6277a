import type { CaseStudy } from './case-study.ts'

const revenue = '$20K'
const users = '100'
const total = '4 months'

export const socialMedia = {
  slug: 'ai-social-media-system',
  category: 'AI social media system',
  title: `From empty repository to ${revenue} monthly revenue`,
  summary: `A two-person start-up needed something true to post about, every day, for every customer. Four months later it had ${users} paying users.`,
  industry: 'Marketing software',
  client: 'A software start-up of two founders, selling to small shops and local businesses',
  challenge: [
    'The founders had a language model that wrote posts, and pilot customers who stopped using them. The posts were well made and said nothing: the model did not know what had happened that day in the world of a bakery or a bicycle shop.',
    'Finding topics by hand took 40 minutes a day for each customer. At that rate the product could not have more than a dozen.',
  ],
  solution: [
    'For each customer the system reads what is public and relevant: trade news, local events, forums, product releases, and the customer’s own catalog. It ranks what is new by how well earlier topics of that kind did.',
    'The model writes from these facts, with the source beside each draft. The owner approves on the phone with one tap. What was posted is measured, and the measure goes back into the ranking.',
  ],
  implementation: [
    'Readers for news, events, forums and shop catalogs, about 60 sources for each customer',
    'Ranking by novelty, relevance and how similar topics did',
    'Drafts that may only state what a stored source says',
    'Approval by phone, one tap for each post',
    'Publishing to four networks through their official interfaces',
    'Results read back each night, ranking adjusted each week',
  ],
  technologies: ['TypeScript', 'Node.js', 'Crawlee', 'PostgreSQL', 'pgvector', 'OpenAI API', 'Stripe'],
  timeline: {
    total,
    phases: [
      { when: 'Month 1', what: 'Readers and ranking, tested with 5 pilot customers free of charge' },
      { when: 'Month 2', what: 'Drafts, approval by phone, first paying users' },
      { when: 'Month 3', what: 'Publishing and measuring, four networks' },
      { when: 'Month 4', what: 'Self-service sign-up and billing' },
    ],
  },
  results: [
    { value: revenue, metric: 'monthly revenue', description: 'In the fourth month, at an average of $200 for each user.' },
    { value: users, metric: 'paying users', description: 'At the end of the fourth month, from none at the end of the first.' },
    { value: total, metric: 'from start to figures', description: 'From the first line of code to the two figures beside this one.' },
  ],
  chart: {
    kind: 'growth',
    title: 'Paying users and monthly revenue',
    caption: `Month 1: none. Month 2: 18 users, $3.6K. Month 3: 52 users, $10.4K. Month 4: ${users} users, ${revenue}.`,
    months: [
      { label: 'Month 1', users: 0, revenue: 0 },
      { label: 'Month 2', users: 18, revenue: 3600 },
      { label: 'Month 3', users: 52, revenue: 10_400 },
      { label: 'Month 4', users: 100, revenue: 20_000 },
    ],
  },
} as const satisfies CaseStudy
