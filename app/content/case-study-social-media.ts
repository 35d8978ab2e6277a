import type { CaseStudy } from './case-study.ts'

const revenue = '$20K'
const users = '100'
const total = '4 months'

export const socialMedia = {
  slug: 'ai-social-media-system',
  category: 'AI social media system',
  inShort: `${revenue} monthly revenue`,
  title: `From empty repository to ${revenue} monthly revenue`,
  summary: `A two-person startup needed fresh, factual post ideas for every customer, every day. Four months later it had ${users} paying users.`,
  industry: 'Marketing software',
  client: 'A software startup with two founders, selling to small shops and local businesses',
  text: `### Challenge

The founders had a language model that wrote posts, and pilot customers who stopped using them. The posts read well but said nothing. The model didn’t know the day’s news for a bakery or a bike shop.

Finding topics by hand took 40 minutes a day for each customer. At that rate, the product couldn’t serve more than a dozen customers.

### Solution

For each customer, the system reads public sources: trade news, local events, forums, product releases and the customer’s own catalog. It ranks new topics by the performance of similar ones.

The model writes from these facts and cites the source in each draft. The owner approves on the phone with one tap. Post performance feeds back into the ranking.

### Implementation

- Scrapers for news, events, forums and shop catalogs, about 60 sources for each customer
- Ranking by novelty, relevance and the performance of similar topics
- Drafts limited to facts from a stored source
- Approval by phone, one tap for each post
- Publishing to four networks through their official APIs
- Results collected each night, ranking adjusted each week`,
  technologies: ['TypeScript', 'Node.js', 'Crawlee', 'PostgreSQL', 'pgvector', 'OpenAI API', 'Stripe'],
  timeline: {
    total,
    phases: [
      { when: 'Month 1', what: 'Scrapers and ranking, tested with 5 pilot customers free of charge' },
      { when: 'Month 2', what: 'Drafts, approval by phone, first paying users' },
      { when: 'Month 3', what: 'Publishing and measuring, four networks' },
      { when: 'Month 4', what: 'Self-service sign-up and billing' },
    ],
  },
  results: [
    { value: revenue, metric: 'monthly revenue', description: 'In the fourth month, at an average of $200 per user.' },
    { value: users, metric: 'paying users', description: 'At the end of month 4, up from zero at the end of month 1.' },
    { value: total, metric: 'from start to revenue', description: 'From the first line of code to these results.' },
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
