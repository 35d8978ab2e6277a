import { longDay } from '#app/platform/time/english-date.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { blogLoading } from './blog-titles.ts'

const closingWays = [
  { to: '/contact', label: 'Get Free Consultation' },
  { to: '/services', label: 'View Our Services' },
] as const

/** The texts of the blog around its posts. */
export const blogWords = {
  title: blogLoading.title,
  introduction: 'Notes from practice: reading difficult sites, checking data, keeping scrapers alive, and staying within the law.',
  search: { label: 'Search posts', placeholder: 'robots.txt, prices …', send: 'Search' },
  tags: 'Topics',
  allTags: 'All',
  feed: 'Feed',
  empty: {
    title: 'No Blog Posts Yet',
    text: 'We’re writing the first posts. They’ll appear here and in the feed.',
  },
  nothingFound: { title: 'Nothing found', text: 'No posts match. Try fewer words.', all: 'All posts' },
  pages: { label: 'Pages', newer: 'Newer posts', older: 'Older posts' },
  closing: {
    title: 'Rather just have the data?',
    text: 'Tell us which sites and which fields. You get a fixed price before work starts.',
    ways: closingWays,
  },
  loading: blogLoading.list,
} as const

/** The texts of the newsletter: its form, and the pages that its emails link to. */
export const newsletterWords = {
  title: 'New posts by email',
  text: 'One email per post. Unsubscribe with one click.',
  subscribe: 'Subscribe',
  terms: 'We use your address to send you new posts.',
  again: 'Subscribe again',
  toBlog: 'Read the blog',
  sent: {
    title: 'Check your inbox',
    text: 'We sent you an email with a link. Open it to confirm your subscription.',
    nothing: 'No email after a few minutes? Look in your spam folder, and check the address that you entered.',
  },
  confirm: { title: 'Confirm your subscription', text: 'Click to get new posts by email.', button: 'Confirm subscription' },
  confirmed: { title: 'You’re subscribed', text: 'You’ll get the next post by email.' },
  expired: {
    title: 'This link no longer works',
    text: 'It has expired, or you unsubscribed after it was sent. Subscribe again for a new one.',
  },
  leave: { title: 'Unsubscribe', text: 'Click to stop emails about new posts.', button: 'Unsubscribe' },
  left: { title: 'You’re unsubscribed', text: 'You won’t get more emails about new posts.' },
  unknown: { title: 'This link is incomplete', text: 'Open the link in the email again, or copy all of it.' },
} as const

/** The texts around one post. */
export const postWords = {
  back: 'Back to Blog',
  contents: 'On this page',
  share: { label: 'Share', copied: 'Link copied', failed: 'The link couldn’t be copied.' },
  previous: 'Previous post',
  next: 'Next post',
  neighbours: 'Other posts',
  related: 'Related posts',
  missing: {
    title: 'Post Not Found',
    text: "The blog post you're looking for doesn't exist or has been removed.",
  },
  ending: {
    title: 'Need Professional Web Scraping Services?',
    text: 'Send us two or three URLs and the fields you need. We reply with a fixed price.',
    ways: closingWays,
  },
  hidden: {
    title: 'Not public',
    text: 'You can read this because you can write posts. Everyone else gets a 404 page.',
  },
  preview: {
    title: 'Preview',
    text: 'Anyone with this link can read this draft. It isn’t published and may still change.',
    gone: 'This preview link has expired or was revoked.',
  },
  loading: blogLoading.post,
} as const

/** `1 word`, `1,204 words`. */
export function wordCount(words: number): string {
  return `${numberText(words)} ${words === 1 ? 'word' : 'words'}`
}

/** `1 min read` and so on. */
export function readingTime(minutes: number): string {
  return `${minutes} min read`
}

/** `November 22, 2026`: the same for every reader, in any time zone. */
export function publicDay(date: Date): string {
  return longDay(date)
}
