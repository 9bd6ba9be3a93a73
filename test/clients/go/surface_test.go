// Package surface sends every family of commands through go-redis and asserts on the values.
//
// HOTKV_TEST_ADDRESS names the server (host:port). The tests hold on Redis 8.2.3 as well.
package surface

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"sort"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

var ctx = context.Background()

// families are the checks by name; each runs on an empty server, in RESP2 and RESP3.
var families = map[string]func(t *testing.T, c *redis.Client){
	"strings":       checkStrings,
	"lists":         checkLists,
	"sets":          checkSets,
	"hashes":        checkHashes,
	"sorted sets":   checkSortedSets,
	"streams":       checkStreams,
	"geo":           checkGeo,
	"hyperloglogs":  checkHyperLogLogs,
	"scripts":       checkScripts,
	"transactions":  checkTransactions,
	"pubsub":        checkPubSub,
	"blocking":      checkBlocking,
	"keys":          checkKeys,
	"connection":    checkConnection,
	"rate limiting": checkRateLimit,
}

func TestFamilies(t *testing.T) {
	address := os.Getenv("HOTKV_TEST_ADDRESS")
	if address == "" {
		t.Fatal("HOTKV_TEST_ADDRESS is not set")
	}
	for _, protocol := range []int{2, 3} {
		client := redis.NewClient(&redis.Options{Addr: address, Protocol: protocol})
		for name, check := range families {
			t.Run(fmt.Sprintf("%s, RESP%d", name, protocol), func(check func(*testing.T, *redis.Client)) func(*testing.T) {
				return func(t *testing.T) {
					equal(t, client.FlushAll(ctx), "OK")
					check(t, client)
				}
			}(check))
		}
		client.Close()
	}
}

func checkStrings(t *testing.T, c *redis.Client) {
	equal(t, c.Set(ctx, "k", "v", 100*time.Second), "OK")
	equal(t, c.TTL(ctx, "k"), 100*time.Second)
	equal(t, c.SetNX(ctx, "k", "w", 0), false)
	equal(t, c.MSet(ctx, "a", "1", "b", "2"), "OK")
	equal(t, c.MGet(ctx, "a", "b", "missing"), []interface{}{"1", "2", nil})
	equal(t, c.IncrByFloat(ctx, "a", 0.5), 1.5)
	equal(t, c.SetBit(ctx, "bits", 7, 1), int64(0))
	equal(t, c.BitCount(ctx, "bits", nil), int64(1))
	equal(t, c.GetDel(ctx, "k"), "v")
	if err := c.Get(ctx, "k").Err(); !errors.Is(err, redis.Nil) {
		t.Errorf("GET of a missing key gives %v", err)
	}
}

func checkLists(t *testing.T, c *redis.Client) {
	equal(t, c.RPush(ctx, "l", "a", "b", "c"), int64(3))
	equal(t, c.LRange(ctx, "l", 0, -1), []string{"a", "b", "c"})
	equal(t, c.LInsertBefore(ctx, "l", "b", "x"), int64(4))
	equal(t, c.LPos(ctx, "l", "c", redis.LPosArgs{}), int64(3))
	equal(t, c.LMove(ctx, "l", "m", "LEFT", "RIGHT"), "a")
	key, values, err := c.LMPop(ctx, "left", 2, "none", "l").Result()
	same(t, err, nil)
	same(t, key, "l")
	same(t, values, []string{"x", "b"})
}

func checkSets(t *testing.T, c *redis.Client) {
	equal(t, c.SAdd(ctx, "s", "a", "b", "c"), int64(3))
	equal(t, c.SAdd(ctx, "t", "b", "d"), int64(2))
	equal(t, c.SMIsMember(ctx, "s", "a", "z"), []bool{true, false})
	difference := c.SDiff(ctx, "s", "t").Val()
	sort.Strings(difference)
	same(t, difference, []string{"a", "c"})
	equal(t, c.SInterStore(ctx, "u", "s", "t"), int64(1))
	equal(t, c.SInterCard(ctx, 0, "s", "t"), int64(1))
	equal(t, c.SPop(ctx, "u"), "b")
}

func checkHashes(t *testing.T, c *redis.Client) {
	equal(t, c.HSet(ctx, "h", "a", "1", "b", "2"), int64(2))
	equal(t, c.HGetAll(ctx, "h"), map[string]string{"a": "1", "b": "2"})
	equal(t, c.HIncrBy(ctx, "h", "a", 4), int64(5))
	equal(t, c.HExpire(ctx, "h", 100*time.Second, "a", "missing"), []int64{1, -2})
	equal(t, c.HTTL(ctx, "h", "a", "b"), []int64{100, -1})
	equal(t, c.HPersist(ctx, "h", "a"), []int64{1})
	equal(t, c.HSetEXWithArgs(ctx, "h", &redis.HSetEXOptions{ExpirationType: redis.HSetEXExpirationEX, ExpirationVal: 50}, "c", "3"), int64(1))
	equal(t, c.HGetDel(ctx, "h", "c"), []string{"3"})
	equal(t, c.HLen(ctx, "h"), int64(2))
}

func checkSortedSets(t *testing.T, c *redis.Client) {
	equal(t, c.ZAdd(ctx, "z", redis.Z{Score: 1, Member: "a"}, redis.Z{Score: 2, Member: "b"}, redis.Z{Score: 3.5, Member: "c"}), int64(3))
	equal(t, c.ZScore(ctx, "z", "c"), 3.5)
	equal(t, c.ZRangeWithScores(ctx, "z", 0, 0), []redis.Z{{Score: 1, Member: "a"}})
	equal(t, c.ZRangeByScore(ctx, "z", &redis.ZRangeBy{Min: "(1", Max: "+inf"}), []string{"b", "c"})
	equal(t, c.ZRank(ctx, "z", "b"), int64(1))
	equal(t, c.ZIncrBy(ctx, "z", 0.5, "b"), 2.5)
	equal(t, c.ZUnionStore(ctx, "u", &redis.ZStore{Keys: []string{"z"}, Weights: []float64{2}}), int64(3))
	equal(t, c.ZScore(ctx, "u", "b"), 5.0)
	equal(t, c.ZPopMax(ctx, "z"), []redis.Z{{Score: 3.5, Member: "c"}})
}

func checkStreams(t *testing.T, c *redis.Client) {
	for _, id := range []string{"1-1", "2-1"} {
		equal(t, c.XAdd(ctx, &redis.XAddArgs{Stream: "x", ID: id, Values: []string{"f", id}}), id)
	}
	first := redis.XMessage{ID: "1-1", Values: map[string]interface{}{"f": "1-1"}}
	second := redis.XMessage{ID: "2-1", Values: map[string]interface{}{"f": "2-1"}}
	equal(t, c.XRange(ctx, "x", "-", "+"), []redis.XMessage{first, second})
	equal(t, c.XGroupCreate(ctx, "x", "g", "0"), "OK")
	read := &redis.XReadGroupArgs{Group: "g", Consumer: "alice", Streams: []string{"x", ">"}, Count: 1, Block: -1}
	equal(t, c.XReadGroup(ctx, read), []redis.XStream{{Stream: "x", Messages: []redis.XMessage{first}}})
	pending := &redis.XPending{Count: 1, Lower: "1-1", Higher: "1-1", Consumers: map[string]int64{"alice": 1}}
	equal(t, c.XPending(ctx, "x", "g"), pending)
	equal(t, c.XClaim(ctx, &redis.XClaimArgs{Stream: "x", Group: "g", Consumer: "bob", Messages: []string{"1-1"}}), []redis.XMessage{first})
	equal(t, c.XAck(ctx, "x", "g", "1-1"), int64(1))
	groups := c.XInfoGroups(ctx, "x").Val()
	same(t, len(groups), 1)
	same(t, groups[0].Lag, int64(1))
	same(t, c.XInfoStream(ctx, "x").Val().Length, int64(2))
	equal(t, c.XTrimMaxLen(ctx, "x", 1), int64(1))
	equal(t, c.XRead(ctx, &redis.XReadArgs{Streams: []string{"x", "0"}, Block: -1}), []redis.XStream{{Stream: "x", Messages: []redis.XMessage{second}}})
}

func checkGeo(t *testing.T, c *redis.Client) {
	palermo := &redis.GeoLocation{Name: "Palermo", Longitude: 13.361389, Latitude: 38.115556}
	catania := &redis.GeoLocation{Name: "Catania", Longitude: 15.087269, Latitude: 37.502669}
	equal(t, c.GeoAdd(ctx, "g", palermo, catania), int64(2))
	equal(t, c.GeoDist(ctx, "g", "Palermo", "Catania", "km"), 166.2742)
	near := &redis.GeoSearchQuery{Longitude: 15, Latitude: 37, Radius: 200, RadiusUnit: "km", Sort: "ASC"}
	equal(t, c.GeoSearch(ctx, "g", near), []string{"Catania", "Palermo"})
	equal(t, c.GeoHash(ctx, "g", "Palermo"), []string{"sqc8b49rny0"})
}

func checkHyperLogLogs(t *testing.T, c *redis.Client) {
	equal(t, c.PFAdd(ctx, "h1", "a", "b", "c"), int64(1))
	equal(t, c.PFAdd(ctx, "h2", "c", "d"), int64(1))
	equal(t, c.PFMerge(ctx, "h", "h1", "h2"), "OK")
	equal(t, c.PFCount(ctx, "h"), int64(4))
}

func checkScripts(t *testing.T, c *redis.Client) {
	equal(t, c.Eval(ctx, "return {KEYS[1], ARGV[1], 7}", []string{"k"}, "v"), []interface{}{"k", "v", int64(7)})
	script := redis.NewScript("return redis.call('INCRBY', KEYS[1], ARGV[1])")
	equal(t, script.Run(ctx, c, []string{"n"}, 5), int64(5))
	equal(t, script.EvalSha(ctx, c, []string{"n"}, 5), int64(10))
	equal(t, script.Exists(ctx, c), []bool{true})
	library := "#!lua name=lib\nredis.register_function('twice', function(keys, args) return args[1] * 2 end)"
	equal(t, c.FunctionLoadReplace(ctx, library), "lib")
	equal(t, c.FCall(ctx, "twice", nil, 21), int64(42))
	equal(t, c.FunctionDelete(ctx, "lib"), "OK")
}

func checkTransactions(t *testing.T, c *redis.Client) {
	var counter *redis.IntCmd
	_, err := c.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
		pipe.Set(ctx, "a", "1", 0)
		counter = pipe.Incr(ctx, "a")
		return nil
	})
	same(t, err, nil)
	equal(t, counter, int64(2))
	err = c.Watch(ctx, func(tx *redis.Tx) error {
		equal(t, c.Set(ctx, "a", "9", 0), "OK")
		_, err := tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error { return pipe.Incr(ctx, "a").Err() })
		return err
	}, "a")
	same(t, err, redis.TxFailedErr)
	equal(t, c.Get(ctx, "a"), "9")
}

func checkPubSub(t *testing.T, c *redis.Client) {
	subscriber := c.Subscribe(ctx, "news")
	defer subscriber.Close()
	for _, step := range []func() error{
		func() error { _, err := subscriber.Receive(ctx); return err },
		func() error { return subscriber.PSubscribe(ctx, "w*") },
		func() error { _, err := subscriber.Receive(ctx); return err },
		func() error { return subscriber.Ping(ctx) },
		func() error { _, err := subscriber.Receive(ctx); return err },
	} {
		same(t, step(), nil)
	}
	equal(t, c.Publish(ctx, "news", "1"), int64(1))
	equal(t, c.Publish(ctx, "weather", "2"), int64(1))
	for _, expected := range []redis.Message{
		{Channel: "news", Payload: "1"},
		{Channel: "weather", Pattern: "w*", Payload: "2"},
	} {
		message, err := subscriber.ReceiveMessage(ctx)
		same(t, err, nil)
		same(t, *message, expected)
	}
	equal(t, c.PubSubNumSub(ctx, "news"), map[string]int64{"news": 1})
}

func checkBlocking(t *testing.T, c *redis.Client) {
	waiter := c.BLPop(ctx, 10*time.Millisecond, "q") // go-redis sends a whole second at the least
	same(t, waiter.Err(), redis.Nil)
	time.AfterFunc(50*time.Millisecond, func() { c.RPush(ctx, "q", "1", "2") })
	equal(t, c.BLPop(ctx, 5*time.Second, "none", "q"), []string{"q", "1"})
	equal(t, c.BLMove(ctx, "q", "done", "LEFT", "RIGHT", time.Second), "2")
	equal(t, c.ZAdd(ctx, "z", redis.Z{Score: 1, Member: "a"}), int64(1))
	equal(t, c.BZPopMin(ctx, time.Second, "z"), &redis.ZWithKey{Z: redis.Z{Score: 1, Member: "a"}, Key: "z"})
}

func checkKeys(t *testing.T, c *redis.Client) {
	equal(t, c.MSet(ctx, "k:1", "1", "k:2", "2", "other", "3"), "OK")
	var keys []string
	for iterator := c.Scan(ctx, 0, "k:*", 100).Iterator(); iterator.Next(ctx); {
		keys = append(keys, iterator.Val())
	}
	sort.Strings(keys)
	same(t, keys, []string{"k:1", "k:2"})
	equal(t, c.Copy(ctx, "k:1", "k:3", 0, false), int64(1))
	equal(t, c.Rename(ctx, "k:3", "k:4"), "OK")
	equal(t, c.Type(ctx, "k:4"), "string")
	equal(t, c.ObjectEncoding(ctx, "k:4"), "int")
	equal(t, c.RestoreReplace(ctx, "k:4", 0, c.Dump(ctx, "k:2").Val()), "OK")
	equal(t, c.Get(ctx, "k:4"), "2")
}

func checkConnection(t *testing.T, c *redis.Client) {
	equal(t, c.Ping(ctx), "PONG")
	equal(t, c.ConfigGet(ctx, "databases"), map[string]string{"databases": "16"})
	same(t, c.Command(ctx).Val()["get"].Arity, int8(2))
	same(t, c.ClientInfo(ctx).Val().LibName != "", true)
}

func checkRateLimit(t *testing.T, c *redis.Client) {
	reply := c.Do(ctx, "GCRA.LIMIT", "user:1", 60000, 10)
	if reply.Err() != nil && c.Do(ctx, "COMMAND", "INFO", "GCRA.LIMIT").Val().([]interface{})[0] == nil {
		t.Skip("the server has no GCRA.LIMIT")
	}
	same(t, reply.Val().([]interface{})[:3], []interface{}{int64(0), int64(10), int64(9)})
}

// result is what every command of go-redis is.
type result interface {
	Err() error
	String() string
}

// equal asserts that a command succeeded with a value.
func equal(t *testing.T, command result, expected interface{}) {
	t.Helper()
	if command.Err() != nil {
		t.Errorf("%s", command)
		return
	}
	same(t, reflect.ValueOf(command).MethodByName("Val").Call(nil)[0].Interface(), expected)
}

func same(t *testing.T, actual, expected interface{}) {
	t.Helper()
	if !reflect.DeepEqual(actual, expected) {
		t.Errorf("got %#v, expected %#v", actual, expected)
	}
}
