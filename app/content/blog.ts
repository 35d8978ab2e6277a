/** The texts of the blog around its posts. */
export const blogWords = {
  title: 'Web Scraping Insights',
  introduction: 'Notes from practice: reading difficult sites, checking data, keeping scrapers alive, and staying within the law.',
  search: { label: 'Search posts', placeholder: 'robots.txt, prices …', send: 'Search' },
  tags: 'Topics',
  allTags: 'All',
  feed: 'Feed',
  empty: {
    title: 'No Blog Posts Yet',
    text: 'The first notes from practice are being written. They will be announced here and in the feed.',
  },
  nothingFound: { title: 'Nothing found', text: 'No post has all of these words. Fewer words find more.', all: 'All posts' },
  pages: { label: 'Pages', newer: 'Newer posts', older: 'Older posts' },
  closing: {
    title: 'Rather have the data than the reading?',
    text: 'Tell us which sites and which fields. You get a sample and a fixed price before anything begins.',
    contact: 'Get Free Consultation',
    services: 'View Our Services',
  },
  loading: 'Loading blog posts...',
} as const

/** The texts around one post. */
export const postWords = {
  back: 'Back to Blog',
  contents: 'On this page',
  share: { label: 'Share', copied: 'Address copied', failed: 'The address could not be copied.' },
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
    text: 'Send two or three addresses and the fields you need: we read them, check them, and answer with a sample and a fixed price.',
    contact: 'Get Free Consultation',
    services: 'View Our Services',
  },
  hidden: {
    title: 'Not public',
    text: 'You read this because you may write posts. For everyone else there is nothing at this address yet.',
  },
  preview: {
    title: 'Preview',
    text: 'This is a draft, shown to whoever has this link. It is not published, and it may still change.',
    gone: 'This preview link has expired, or was taken back.',
  },
  loading: 'Loading the post...',
} as const

/** `1 word`, `1,204 words`. */
export function wordCount(words: number): string {
  return `${words.toLocaleString('en-US')} ${words === 1 ? 'word' : 'words'}`
}

/** `1 min read` and so on. */
export function readingTime(minutes: number): string {
  return `${minutes} min read`
}

const longDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** `November 22, 2026`: the same for every reader, in any time zone. */
export function publicDay(date: Date): string {
  return longDay.format(date)
}
