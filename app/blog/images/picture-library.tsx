import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { cx } from '#app/ui/class-names.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { type Image, imagePage, IMAGES } from './image.ts'

type PictureLibraryProps = { chosen: Image | undefined; onChoose: (image: Image) => void }

/** All images, newest first, searchable by name and alt text. */
export function PictureLibrary(props: PictureLibraryProps) {
  const [q, setSearch] = useState('')
  return (
    <div className="grid gap-4">
      <Field label="Search" name="picture-search" tool>
        <Input
          type="search"
          value={q}
          most={200}
          autoComplete="off"
          placeholder="Search by name or alt text"
          onChange={({ target }) => setSearch(target.value)}
          // The picker may be inside a form, which Enter would submit.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      </Field>
      <Found q={q.trim()} {...props} />
    </div>
  )
}

function Found({ q, chosen, onChoose }: PictureLibraryProps & { q: string }) {
  const list = useInfiniteQuery({
    queryKey: [IMAGES, q],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const query = new URLSearchParams({ ...(q && { q }), ...(pageParam && { cursor: pageParam }) })
      return imagePage.parse(await (await apiRequest('GET', `${IMAGES}?${query}`, undefined, { signal })).json())
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  })
  if (list.isPending) return <Loading>Loading images...</Loading>
  if (list.isError) return <Failed error={list.error} retry={list.refetch} />
  const images = list.data.pages.flatMap((page) => page.images)
  if (images.length === 0)
    return <p className="text-muted">{q ? 'No images match your search.' : 'No images yet. Upload your first image.'}</p>
  return (
    <>
      <ul aria-label="Images" className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {images.map((image) => (
          <Tile key={image.id} image={image} isChosen={image.id === chosen?.id} onChoose={onChoose} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button type="button" look="quiet" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {list.isFetchingNextPage ? 'Loading...' : 'Load more'}
        </Button>
      )}
    </>
  )
}

function Tile({ image, isChosen, onChoose }: { image: Image; isChosen: boolean; onChoose: (image: Image) => void }) {
  return (
    <li>
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={() => onChoose(image)}
        className={cx(
          'grid w-full gap-1.5 rounded-control border p-1.5 text-left text-fine',
          isChosen ? 'border-ink bg-sunken' : 'border-line hover:border-ink',
        )}
      >
        <img src={thumbnailOf(image)} alt={image.alt} loading="lazy" className="aspect-4/3 w-full rounded-control bg-sunken object-cover" />
        <span className="truncate">{image.fileName}</span>
      </button>
    </li>
  )
}

/** The smallest file: at most as wide as a thumbnail, or the image itself. */
function thumbnailOf({ url, width }: Image): string {
  return width > 480 ? url.replace(/\d+\.webp$/, '480.webp') : url
}
