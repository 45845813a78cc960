import { Fragment } from 'preact';

const HOST = /\b((?:[a-z0-9-]+\.)+(?:com|eu|it|net)(?:\/[^\s)]*)?)/;

/** Shows a text with the websites in it as links. */
export function Linked({ text }: { text: string }) {
  return (
    <>
      {text.split(HOST).map((piece, index) =>
        // Every second piece is what the expression found.
        index % 2 === 1 ? (
          <a key={piece} href={`https://${piece}`} target="_blank" rel="noreferrer">
            {piece}
          </a>
        ) : (
          <Fragment key={piece}>{piece}</Fragment>
        ),
      )}
    </>
  );
}
