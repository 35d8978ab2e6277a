import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Loading } from '#app/ui/loading.tsx'
import { useIsLive } from '#app/ui/use-is-live.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { type Post, publishedPost, draftUrl, postUrl } from '#app/blog/posts/post.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { draftState, NEVER_SAVED, type PostDraft } from '#app/blog/posts/draft.ts'
import { newPostId } from './draft-requests.ts'
import { findLocally, localCopyKey } from './local-copy.ts'
import { unsavedPost } from './post-fields.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { PostForm } from './post-form.tsx'
import { Resume } from './resume.tsx'

/** The form of a post, new or by id, with its draft. */
export function OpenForm({ open, viewerId }: { open: { id: string } | 'new'; viewerId: string }) {
  const { change } = useView()
  const [newId] = useState(newPostId)
  const close = () => change({ edit: undefined, new: undefined }, { fromTop: true })
  // It depends on the browser's clock and on its stored copies, which the server does not have.
  if (!useIsLive()) return <Opening />
  const form = { viewerId, close }
  const id = open === 'new' ? newId : open.id
  if (id === newId) {
    // The address names the post from its first words on, so that a reload and a copy of the window continue the same one.
    const onBegun = () => change({ new: undefined, edit: newId }, { replace: true })
    return (
      <Resume key={newId} post={unsavedPost(newId)} draft={null} viewerId={viewerId}>
        {(given) => <PostForm post={unsavedPost(newId)} onBegun={onBegun} {...form} {...given} />}
      </Resume>
    )
  }
  return (
    <ReadPost key={id} id={id} viewerId={viewerId}>
      {(post, draft) => (
        <Resume post={post} draft={draft} viewerId={viewerId}>
          {(given) => <PostForm post={post} {...form} {...given} />}
        </Resume>
      )}
    </ReadPost>
  )
}

function Opening() {
  return (
    <div>
      <Loading>Opening the form...</Loading>
      <Skeleton lines={8} />
    </div>
  )
}

type ReadPostProps = { id: string; viewerId: string; children: (post: Post, draft: PostDraft | null) => React.ReactNode }

/** Loads a post and its draft, then renders `children` with both. */
function ReadPost({ id, viewerId, children }: ReadPostProps) {
  // No cached version: the form must start from the current one.
  const post = useQuery({ ...apiQuery(postUrl(id), publishedPost), gcTime: 0 })
  const state = useQuery({ ...apiQuery(draftUrl(id), draftState), gcTime: 0 })
  if (post.isError) {
    // A post that was begun offline is in this browser alone.
    if (findLocally(localCopyKey(viewerId, id))?.baseVersion === NEVER_SAVED) return children(unsavedPost(id), null)
    return <Failed title="Failed to fetch blog post" error={post.error} retry={post.refetch} />
  }
  if (state.isError) return <Failed title="Failed to fetch blog post" error={state.error} retry={state.refetch} />
  if (post.isPending || state.isPending) {
    return (
      <div>
        <Loading>Loading post...</Loading>
        <Skeleton lines={10} />
      </div>
    )
  }
  return children(post.data, state.data.draft)
}
