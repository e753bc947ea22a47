// grinpay-go-client: one round through a relay with go-nostr; says what it saw, a JSON object per line (../README.md).
// With `answer` it does what standard input asks instead.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip11"
)

const (
	longest         = 60 * time.Second
	longestToAnswer = 10 * time.Minute
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "grinpay-go-client ws://HOST:PORT [answer]")
		os.Exit(2)
	}
	work, most := round, longest
	if len(os.Args) > 2 {
		work, most = answer, longestToAnswer
	}
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	if err := work(ctx, os.Args[1]); err != nil {
		say("failed", map[string]any{"error": err.Error()})
		os.Exit(1)
	}
}

func round(ctx context.Context, url string) error {
	info, err := nip11.Fetch(ctx, url)
	if err != nil {
		return err
	}
	say("document", map[string]any{"name": info.Name, "nips": info.SupportedNIPs})
	steps := []func(context.Context, string) error{notes, protected, mail, compare}
	for _, step := range steps {
		if err := step(ctx, url); err != nil {
			return err
		}
	}
	return nil
}

func say(step string, members map[string]any) {
	members["step"] = step
	line, _ := json.Marshal(members)
	fmt.Println(string(line))
}

// Why the relay refused; empty when it did not.
func reasonOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

type person struct{ secret, key string }

func somebody() person {
	secret := nostr.GeneratePrivateKey()
	key, _ := nostr.GetPublicKey(secret)
	return person{secret, key}
}

func (who person) sign(event *nostr.Event) error { return event.Sign(who.secret) }

func (who person) event(kind int, tags nostr.Tags, content string) nostr.Event {
	event := nostr.Event{Kind: kind, CreatedAt: nostr.Now(), Tags: tags, Content: content}
	_ = who.sign(&event)
	return event
}
