package main

import (
	"context"
	"errors"
	"sync"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip77"
)

const reactions = nostr.KindReaction

// Publishes while another connection listens, finds the event, counts it, and deletes it.
func notes(ctx context.Context, url string) error {
	author := somebody()
	pool := nostr.NewSimplePool(ctx)
	filter := nostr.Filter{Kinds: []int{reactions}, Authors: []string{author.key}}
	listener, err := nostr.RelayConnect(ctx, url)
	if err != nil {
		return err
	}
	defer listener.Close()
	live, err := listener.Subscribe(ctx, nostr.Filters{filter})
	if err != nil {
		return err
	}
	<-live.EndOfStoredEvents

	event := author.event(reactions, nostr.Tags{}, "+")
	relay, err := pool.EnsureRelay(url)
	if err != nil {
		return err
	}
	if err := relay.Publish(ctx, event); err != nil {
		return err
	}
	heard := <-live.Events
	say("heard", map[string]any{"same": heard.ID == event.ID && heard.String() == event.String()})

	found, err := relay.QuerySync(ctx, filter)
	if err != nil {
		return err
	}
	counted, err := relay.Count(ctx, nostr.Filters{filter})
	if err != nil {
		return err
	}
	say("found", map[string]any{"events": len(found), "counted": counted})

	deletion := author.event(nostr.KindDeletion, nostr.Tags{{"e", event.ID}}, "")
	if err := relay.Publish(ctx, deletion); err != nil {
		return err
	}
	left, err := relay.QuerySync(ctx, filter)
	if err != nil {
		return err
	}
	say("deleted", map[string]any{"left": len(left), "again": reasonOf(relay.Publish(ctx, event))})
	return nil
}

// A protected event (NIP-70) is taken only from its author's connection (NIP-42).
func protected(ctx context.Context, url string) error {
	author, other := somebody(), somebody()
	relay, err := nostr.RelayConnect(ctx, url)
	if err != nil {
		return err
	}
	defer relay.Close()
	event := author.event(reactions, nostr.Tags{{"-"}}, "+")
	stranger := reasonOf(relay.Publish(ctx, event))
	if err := relay.Auth(ctx, other.sign); err != nil {
		return err
	}
	wrong := reasonOf(relay.Publish(ctx, event))
	if err := relay.Auth(ctx, author.sign); err != nil {
		return err
	}
	say("protected", map[string]any{"stranger": stranger, "other": wrong, "author": reasonOf(relay.Publish(ctx, event))})
	return nil
}

// Remembers what it is given, from several goroutines at once; the local side of a comparison of sets.
type memory struct {
	events []*nostr.Event
	mutex  sync.Mutex
}

func (m *memory) Publish(_ context.Context, event nostr.Event) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.events = append(m.events, &event)
	return nil
}
func (m *memory) QuerySync(_ context.Context, _ nostr.Filter) ([]*nostr.Event, error) {
	return m.events, nil
}
func (m *memory) QueryEvents(_ context.Context, filter nostr.Filter) (chan *nostr.Event, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	out := make(chan *nostr.Event, len(m.events))
	for _, event := range m.events {
		for _, id := range filter.IDs {
			if id == event.ID {
				out <- event
			}
		}
	}
	close(out)
	return out, nil
}

// Each side has events that the other lacks, and some are known to both (NIP-77).
func compare(ctx context.Context, url string) error {
	const each = 40
	author := somebody()
	relay, err := nostr.RelayConnect(ctx, url)
	if err != nil {
		return err
	}
	defer relay.Close()
	local := &memory{}
	for n := range 3 * each {
		event := author.event(reactions, nostr.Tags{}, string(rune('a'+n)))
		if n < 2*each {
			err = errors.Join(err, relay.Publish(ctx, event))
		}
		if n >= each {
			err = errors.Join(err, local.Publish(ctx, event))
		}
	}
	filter := nostr.Filter{Kinds: []int{reactions}, Authors: []string{author.key}}
	if err := errors.Join(err, nip77.NegentropySync(ctx, local, url, filter)); err != nil {
		return err
	}
	there, err := relay.QuerySync(ctx, filter)
	say("compared", map[string]any{"here": len(local.events), "there": len(there)})
	return err
}
