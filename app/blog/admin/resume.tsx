import { useState } from 'react'
import { NEVER_SAVED, type PostDraft } from '#app/blog/posts/draft.ts'
import type { Post } from '#app/blog/posts/post.ts'
import { type InitialPost, unsavedVersionsOf } from './unsaved-versions.ts'
import { requestDraftDeletion } from './draft-requests.ts'
import { findLocally, deleteLocally, localCopyKey } from './local-copy.ts'
import { showPostFailure } from './post-errors.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { formatMoment } from '#app/ui/moment.ts'

type ResumeProps = {
  post: Post
  draft: PostDraft | null
  viewerId: string
  children: (given: { beginning: InitialPost; localKey: string }) => React.ReactNode
}

/** Offers unsaved versions to continue from; without any, opens the form directly. */
export function Resume({ post, draft, viewerId, children }: ResumeProps) {
  const localKey = localCopyKey(viewerId, post.id)
  const [left] = useState(() => unsavedVersionsOf(post, draft, findLocally(localKey)))
  const [beginning, setBeginning] = useState(left.only ?? ((left.draft ?? left.local) ? undefined : left.saved))
  if (beginning) return children({ beginning, localKey })

  const discard = async () => {
    try {
      if (draft) await requestDraftDeletion(post.id, draft.version)
      deleteLocally(localKey)
      setBeginning({ ...left.saved, draftVersion: undefined })
    } catch (error) {
      showPostFailure('Draft not discarded', error instanceof Error ? error : new Error('Draft not discarded'))
    }
  }
  const isSaved = post.version !== NEVER_SAVED
  const seen = post.published ? 'published' : 'saved'
  return (
    <Card as="section" aria-labelledby="resume-title" className="grid max-w-2xl justify-items-start gap-4">
      <h2 id="resume-title" className="text-h3">
        {isSaved ? `This draft is newer than the ${seen} post` : 'Two versions of this draft'}
      </h2>
      <ul className="grid list-disc gap-1 pl-5 text-small text-muted marker:text-grain">
        {left.draft && draft && (
          <li>
            Draft on the server, by {draft.editorId === viewerId ? 'you' : (draft.editor ?? 'a former member')},{' '}
            {formatMoment(draft.updatedAt)}
          </li>
        )}
        {left.local && <li>Saved in this browser, not on the server, {formatMoment(new Date(left.keptAt).toISOString())}</li>}
      </ul>
      <div className="flex flex-wrap gap-3">
        {left.local && (
          <Button type="button" onClick={() => setBeginning(left.local)}>
            {left.draft ? 'Continue from this browser' : 'Continue editing'}
          </Button>
        )}
        {left.draft && (
          <Button type="button" look={left.local ? 'quiet' : 'primary'} onClick={() => setBeginning(left.draft)}>
            {left.local ? 'Continue from the server' : 'Continue with the draft'}
          </Button>
        )}
        {isSaved && (
          <Button type="button" look="quiet" onClick={() => void discard()}>
            Discard and edit the {seen} post
          </Button>
        )}
      </div>
    </Card>
  )
}
