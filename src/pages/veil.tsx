/** What hides the adult pictures of the element after it until the reader ticks it. It needs no script. */
export function Veil({ heading, action }: { heading: string; action: string }) {
  return (
    <label class="veil">
      <strong>{heading}</strong>
      <span class="words">
        <input type="checkbox" autocomplete="off" /> {action}
      </span>
    </label>
  )
}
