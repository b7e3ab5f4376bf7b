/** A checkbox that hides the NSFW images in its next siblings until it is checked, without a script. */
export function ContentWarning({ heading, source, action }: { heading: string; source: string; action: string }) {
  return (
    <>
      {/* Beside its label, so that the style sheet needs no `:has` to know its state. */}
      <input type="checkbox" class="consent" id="consent" autocomplete="off" />
      <label class="content-warning" for="consent">
        <span>
          <strong>{heading}</strong>
          <span class="source">{source}</span>
        </span>
        <span class="words">
          <span class="tick" /> {action}
        </span>
      </label>
    </>
  )
}
