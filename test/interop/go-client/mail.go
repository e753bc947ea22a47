package main

import (
	"context"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/keyer"
	"github.com/nbd-wtf/go-nostr/nip59"
)

// A gift wrap (NIP-59): how many see it who say nothing, who are somebody else, and who it is for.
func mail(ctx context.Context, url string) error {
	sender, recipient, stranger := somebody(), somebody(), somebody()
	from, _ := keyer.NewPlainKeySigner(sender.secret)
	to, _ := keyer.NewPlainKeySigner(recipient.secret)
	rumor := nostr.Event{Kind: nostr.KindDirectMessage, PubKey: sender.key, CreatedAt: nostr.Now(), Tags: nostr.Tags{{"p", recipient.key}}, Content: "for you"}
	encrypt := func(text string) (string, error) { return from.Encrypt(ctx, text, recipient.key) }
	sign := func(event *nostr.Event) error { return from.SignEvent(ctx, event) }
	wrap, err := nip59.GiftWrap(rumor, recipient.key, encrypt, sign, nil)
	if err != nil {
		return err
	}
	relay, err := nostr.RelayConnect(ctx, url)
	if err != nil {
		return err
	}
	defer relay.Close()
	if err := relay.Publish(ctx, wrap); err != nil {
		return err
	}

	anybody := read(ctx, url, recipient, nil)
	others := read(ctx, url, recipient, &stranger)
	own := read(ctx, url, recipient, &recipient)
	content := ""
	if len(own) == 1 {
		opened, err := nip59.GiftUnwrap(*own[0], func(other, text string) (string, error) { return to.Decrypt(ctx, text, other) })
		if err != nil {
			return err
		}
		content = opened.Content
	}
	say("mail", map[string]any{"anybody": len(anybody), "others": len(others), "recipient": len(own), "content": content})
	return nil
}

// The wraps for somebody that a new pool sees.
func read(ctx context.Context, url string, recipient person, as *person) []*nostr.Event {
	filter := nostr.Filter{Kinds: []int{nostr.KindGiftWrap}, Tags: nostr.TagMap{"p": {recipient.key}}}
	return stored(ctx, url, filter, as)
}

// What a new pool finds; it authenticates when it is asked to, if it has a key. (Not before: go-nostr loses a challenge that arrives
// together with the answer to its handshake.)
func stored(ctx context.Context, url string, filter nostr.Filter, as *person) []*nostr.Event {
	options := []nostr.PoolOption{}
	if as != nil {
		options = append(options, nostr.WithAuthHandler(func(_ context.Context, event nostr.RelayEvent) error { return as.sign(event.Event) }))
	}
	pool := nostr.NewSimplePool(ctx, options...)
	seen := []*nostr.Event{}
	for event := range pool.SubManyEose(ctx, []string{url}, nostr.Filters{filter}) {
		seen = append(seen, event.Event)
	}
	return seen
}
