package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip77"
)

const patience = 10 * time.Second

// What the test asks: a JSON object per line and per answer. The test has the events, the client the protocol.
type question struct {
	Do    string
	Given json.RawMessage
	As    string
	Local []*nostr.Event
}

func answer(ctx context.Context, url string) error {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	var live *nostr.Subscription
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			return err
		}
		reply, err := reply(ctx, url, asked, &live)
		if err != nil {
			reply = map[string]any{"error": err.Error()}
		}
		line, _ := json.Marshal(reply)
		fmt.Println(string(line))
	}
	return lines.Err()
}

func reply(ctx context.Context, url string, asked question, live **nostr.Subscription) (map[string]any, error) {
	relay, err := nostr.RelayConnect(ctx, url)
	if err != nil {
		return nil, err
	}
	if asked.Do != "listen" {
		defer relay.Close()
	}
	if asked.Do == "publish" {
		var event nostr.Event
		if err := json.Unmarshal(asked.Given, &event); err != nil {
			return nil, err
		}
		return map[string]any{"reason": publishAs(ctx, relay, event, asked.As)}, nil
	}
	if asked.Do == "heard" {
		var most int
		if err := json.Unmarshal(asked.Given, &most); err != nil {
			return nil, err
		}
		return map[string]any{"events": heard(ctx, *live, most)}, nil
	}
	var filter nostr.Filter
	if err := json.Unmarshal(asked.Given, &filter); err != nil {
		return nil, err
	}
	switch asked.Do {
	case "query":
		return map[string]any{"events": query(ctx, url, filter, asked.As)}, nil
	case "count":
		count, err := relay.Count(ctx, nostr.Filters{filter})
		return map[string]any{"count": count}, err
	case "listen":
		if *live, err = relay.Subscribe(ctx, nostr.Filters{filter}); err == nil {
			<-(*live).EndOfStoredEvents
		}
		return map[string]any{}, err
	case "sync":
		local := &memory{events: asked.Local}
		err := nip77.NegentropySync(ctx, local, url, filter)
		return map[string]any{"events": local.events}, err
	}
	return nil, fmt.Errorf("unknown: %s", asked.Do)
}

// Authenticates when the relay asks for it, if there is a key, and publishes again.
func publishAs(ctx context.Context, relay *nostr.Relay, event nostr.Event, secret string) string {
	reason := reasonOf(relay.Publish(ctx, event))
	if secret == "" || !strings.Contains(reason, "auth-required:") {
		return reason
	}
	if err := relay.Auth(ctx, person{secret: secret}.sign); err != nil {
		return reasonOf(err)
	}
	return reasonOf(relay.Publish(ctx, event))
}

func query(ctx context.Context, url string, filter nostr.Filter, secret string) []*nostr.Event {
	var as *person
	if secret != "" {
		as = &person{secret: secret}
	}
	return stored(ctx, url, filter, as)
}

func heard(ctx context.Context, live *nostr.Subscription, most int) []*nostr.Event {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	events := []*nostr.Event{}
	for len(events) < most {
		select {
		case event := <-live.Events:
			events = append(events, event)
		case <-ctx.Done():
			return events
		}
	}
	return events
}
