import { useNavigation } from 'react-router'
import { blogWords, postWords } from '#app/content/blog.ts'
import { Card } from '#app/ui/card.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'

const CARDS = 6
const LINES = 10

/** Shows placeholders during client-side navigation within the blog. A full page load for the public arrives complete. */
export function NavigationPlaceholder({ children }: { children: React.ReactNode }) {
  const { location } = useNavigation()
  if (location?.pathname === '/blog') return <ListingPlaceholder />
  return location?.pathname.startsWith('/blog/') ? <PostPlaceholder /> : children
}

function ListingPlaceholder() {
  return (
    <div className="wrap py-14 sm:py-20">
      <Loading>{blogWords.loading}</Loading>
      <ul className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
        {Array.from({ length: CARDS }, (_, card) => (
          <Card key={card} as="li" className="min-h-64">
            <Skeleton lines={5} />
          </Card>
        ))}
      </ul>
    </div>
  )
}

function PostPlaceholder() {
  return (
    <div className="wrap py-14 sm:py-20">
      <Loading>{postWords.loading}</Loading>
      <Skeleton lines={LINES} className="max-w-[68ch]" />
    </div>
  )
}
